#include "io/train/corpus.h"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/train/bilm/lanes.h"
#include "io/files/checksum.h"
#include "io/files/paths.h"
#include "io/model/vocabulary.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/train/encode_text.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

using Sentences = std::vector<std::vector<std::string>>;

/// Returns the sentences of a source, without empty ones.
Sentences sentences_of(SentenceSource& source) {
  Sentences sentences;
  Sentence sentence;
  while (source.next(sentence)) {
    if (sentence.size() == 0) continue;
    std::vector<std::string>& tokens = sentences.emplace_back();
    for (std::size_t i = 0; i < sentence.size(); ++i) tokens.emplace_back(sentence.token(i));
  }
  return sentences;
}

/// Returns the sentences of a corpus.
Sentences sentences_of(const EncodedCorpus& corpus) {
  Sentences sentences;
  std::uint64_t begin = 0;
  for (const std::uint64_t end : corpus.sentence_ends()) {
    std::vector<std::string>& tokens = sentences.emplace_back();
    for (; begin < end; ++begin) {
      tokens.push_back(corpus.types()[corpus.tokens()[begin] - kFirstType]);
    }
  }
  CHECK(begin == corpus.tokens().size());
  return sentences;
}

/// Returns paragraphs of made-up words, with empty lines between some.
std::string random_text(int words) {
  std::mt19937 engine(5);
  std::string text;
  for (int i = 0; i < words; ++i) {
    const std::uint64_t length = 1 + engine() % 4;
    for (std::uint64_t j = 0; j < length; ++j) text += "aeioun"[engine() % 6];
    const std::uint64_t end = engine() % 40;
    text += end < 3 ? ". A" : end < 4 ? "\n\n" : end < 5 ? ", é" : " ";
  }
  return text;
}

TEST_CASE("a corpus file holds the sentences of its text") {
  const TempDir folder;
  const fs::path path = folder / "corpus";
  const std::string text = random_text(20000);
  const auto source = [&text] {
    return open_source({}, "text", std::make_unique<MemoryBytes>(text));
  };
  const Sentences sentences = sentences_of(*source());
  REQUIRE(sentences.size() > 500);

  EncodedCorpus corpus = encode_corpus(*source(), path, "this text").value();
  corpus.publish();
  CHECK(sentences_of(corpus) == sentences);
  std::vector<std::uint64_t> counts(corpus.types().size());
  for (const std::uint32_t type : corpus.tokens()) ++counts[type - kFirstType];
  CHECK(counts == std::vector<std::uint64_t>(corpus.counts().begin(), corpus.counts().end()));
  CHECK(names_in(folder.path()) == std::vector<std::string>{"corpus"});

  const EncodedCorpus again = open_encoded_corpus(path, "this text").value();
  CHECK(sentences_of(again) == sentences);
  CHECK(again.checksum() == corpus.checksum());
}

TEST_CASE("types are numbered by their first occurrence, and empty sentences left out") {
  const TempDir folder;
  const EncodedCorpus corpus = encode_tokens("b a b\n\n\nc\n<S> a\n", folder / "corpus");
  CHECK(std::vector<std::uint32_t>(corpus.tokens().begin(), corpus.tokens().end()) ==
        std::vector<std::uint32_t>{2, 3, 2, 4, 5, 3});
  CHECK(std::vector<std::uint64_t>(corpus.sentence_ends().begin(), corpus.sentence_ends().end()) ==
        std::vector<std::uint64_t>{3, 4, 6});
  CHECK(std::vector<std::string>(corpus.types().begin(), corpus.types().end()) ==
        std::vector<std::string>{"b", "a", "c", "<S>"});
  CHECK(std::vector<std::uint64_t>(corpus.counts().begin(), corpus.counts().end()) ==
        std::vector<std::uint64_t>{2, 2, 1, 1});
}

TEST_CASE("a corpus of one token has one sentence") {
  const TempDir folder;
  CHECK(sentences_of(encode_tokens("x", folder / "corpus")) == Sentences{{"x"}});
}

TEST_CASE("the checksum distinguishes corpora only by their content") {
  const TempDir folder;
  const std::string checksum = encode_tokens("a b\nc d\n", folder / "one").checksum();
  CHECK(checksum.size() == 32);
  CHECK(encode_corpus(*token_source("a b\n\nc d"), folder / "two", "other")->checksum() ==
        checksum);
  CHECK(encode_tokens("a b c\nd\n", folder / "three").checksum() != checksum);
  CHECK(encode_tokens("a b\nc e\n", folder / "four").checksum() != checksum);
}

TEST_CASE("a corpus is reopened only under its fingerprint") {
  const TempDir folder;
  const fs::path path = folder / "corpus";
  CHECK_FALSE(open_encoded_corpus(path, "tokens"));
  encode_tokens("a b\n", path);
  CHECK(open_encoded_corpus(path, "tokens"));
  CHECK_FALSE(open_encoded_corpus(path, "others"));
  {
    const EncodedCorpus refused = encode_corpus(*token_source("c\n"), path, "others").value();
    CHECK(sentences_of(refused) == Sentences{{"c"}});
    CHECK(refused.path() != path);
    CHECK(open_encoded_corpus(refused.path(), "others"));
  }
  CHECK(names_in(folder.path()) == std::vector<std::string>{"corpus"});
  EncodedCorpus corpus = encode_corpus(*token_source("c\n"), path, "others").value();
  CHECK(open_encoded_corpus(path, "tokens"));
  corpus.publish();
  CHECK(corpus.path() == path);
  CHECK_FALSE(open_encoded_corpus(path, "tokens"));
  CHECK(open_encoded_corpus(path, "others"));
}

TEST_CASE("an open corpus outlives the replacement of its file, and can be moved") {
  const TempDir folder;
  const fs::path path = folder / "corpus";
  EncodedCorpus before = encode_tokens("a b\n", path);
  EncodedCorpus after = encode_tokens("c d e\n", path);
  CHECK(sentences_of(before) == Sentences{{"a", "b"}});
  const EncodedCorpus moved = std::move(before);
  CHECK(sentences_of(moved) == Sentences{{"a", "b"}});
  before = std::move(after);
  CHECK(sentences_of(before) == Sentences{{"c", "d", "e"}});
}

TEST_CASE("a truncated, foreign or damaged file is not a corpus, and is made again") {
  const TempDir folder;
  const fs::path path = folder / "corpus";
  encode_tokens("a b c\nd e\n", path);
  const std::string whole = content_of(path);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    write_file(path, whole.substr(0, size));
    CHECK_FALSE(open_encoded_corpus(path, "tokens"));
  }
  write_file(path, whole + '\0');
  CHECK_FALSE(open_encoded_corpus(path, "tokens"));
  for (std::size_t place = 0; place < whole.size(); ++place) {
    for (const unsigned bit : {0U, 7U}) {
      CAPTURE(place);
      std::string damaged = whole;
      damaged[place] = static_cast<char>(static_cast<unsigned char>(damaged[place]) ^ (1U << bit));
      write_file(path, damaged);
      CHECK_FALSE(open_encoded_corpus(path, "tokens"));
    }
  }
  write_file(path, std::string(1000, 'x'));
  CHECK_FALSE(open_encoded_corpus(path, "tokens"));
  CHECK(sentences_of(encode_tokens("a b c\nd e\n", path)) ==
        Sentences{{"a", "b", "c"}, {"d", "e"}});
}

TEST_CASE("a text without a token is refused and leaves no file") {
  const TempDir folder;
  for (const char* text : {"", "\n", " \n\n \t\n"}) {
    CHECK_THROWS_WITH_AS(encode_tokens(text, folder / "corpus"), doctest::Contains("no token"),
                         InputError);
  }
  CHECK(names_in(folder.path()).empty());
}

TEST_CASE("encoding reports progress and stops on request") {
  const TempDir folder;
  std::string text;
  for (int i = 0; i < 10000; ++i) text += "a b\n";
  std::vector<std::uint64_t> told;
  std::atomic<bool> stop = false;
  EncodingWatch watch;
  watch.stop = &stop;
  watch.progress = [&told](const EncodingProgress& progress) {
    CHECK(progress.tokens == 2 * progress.sentences);
    told.push_back(progress.sentences);
  };
  CHECK(encode_corpus(*token_source(text), folder / "corpus", "", watch));
  CHECK(told == std::vector<std::uint64_t>{4096, 8192, 10000});

  watch.progress = [&stop](const EncodingProgress&) { stop = true; };
  CHECK_FALSE(encode_corpus(*token_source(text), folder / "corpus", "", watch));
  CHECK(names_in(folder.path()).empty());
}

TEST_CASE("a file whose sections contradict each other is not a corpus, whatever its checksum") {
  const TempDir folder;
  encode_tokens("a b\nc a\n", folder / "corpus");
  const std::string sound = content_of(folder / "corpus");
  constexpr std::size_t kHeader = 104;  // magic, 32 bytes of counts, fingerprint, checksum
  const auto opens = [&](std::size_t place, char value) {
    std::string crafted = sound;
    crafted[kHeader + place] = value;
    Checksum checksum;
    checksum.add(std::string_view(crafted).substr(kHeader));
    checksum.add(std::string_view(crafted).substr(8, 32));
    crafted.replace(kHeader - 32, 32, checksum.hex());
    write_file(folder / "corpus", crafted);
    return open_encoded_corpus(folder / "corpus", "tokens").has_value();
  };
  CHECK(opens(0, sound[kHeader]));
  CHECK_FALSE(opens(0, '\x00'));   // a boundary as a token
  CHECK_FALSE(opens(0, '\x7F'));   // a token that is not a type
  CHECK_FALSE(opens(16, '\x00'));  // a sentence without a token
  CHECK_FALSE(opens(16, '\x09'));  // a sentence that ends past the text
  CHECK_FALSE(opens(24, '\x03'));  // tokens without a sentence
  CHECK_FALSE(opens(56, '\x7F'));  // a spelling that ends past the others
  CHECK_FALSE(opens(63, '\x7F'));  // far past them
}

TEST_CASE("an interrupted run's file is replaced") {
  const TempDir folder;
  write_file(folder / "corpus.unfinished", std::string(100000, 'x'));
  write_file(folder / "corpus.sentences.unfinished", std::string(100000, 'x'));
  CHECK(sentences_of(encode_tokens("a\n", folder / "corpus")) == Sentences{{"a"}});
  CHECK(names_in(folder.path()) == std::vector<std::string>{"corpus"});
}

TEST_CASE("a write error is reported, keeps the old file and leaves no part of the new") {
  const TempDir folder;
  CHECK_THROWS_WITH_AS(encode_tokens("a\n", folder / "missing" / "corpus"),
                       doctest::Contains("missing"), SystemError);

  encode_tokens("a\n", folder / "corpus");
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "a b c d\n";
  // A limit on file sizes simulates a full disk.
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 1500000;
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  CHECK_THROWS_WITH_AS(encode_tokens(text, folder / "corpus"), doctest::Contains("cannot write"),
                       SystemError);
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);

  CHECK(names_in(folder.path()) == std::vector<std::string>{"corpus"});
  CHECK(sentences_of(open_encoded_corpus(folder / "corpus", "tokens").value()) == Sentences{{"a"}});
}

TEST_CASE("an inconsistent corpus with a correct checksum is not opened") {
  const TempDir folder;
  const fs::path path = folder / "corpus";
  encode_tokens("One sentence .\nAnother one .\n", path);
  const std::string sound = content_of(path);
  // Magic number, four counts, fingerprint, checksum; then the tokens, 32 bits each.
  constexpr std::size_t kCounts = 8;
  constexpr std::size_t kChecksum = kCounts + 4 * 8 + 32;
  constexpr std::size_t kTokens = kChecksum + 32;
  const auto opens_with = [&](std::size_t place, char byte) {
    std::string changed = sound;
    changed[place] = byte;
    Checksum checksum;
    checksum.add(std::string_view(changed).substr(kTokens));
    checksum.add(std::string_view(changed).substr(kCounts, 4 * 8));
    changed.replace(kChecksum, 32, checksum.hex());
    std::ofstream(path, std::ios::binary) << changed;
    return open_encoded_corpus(path, "tokens").has_value();
  };
  CHECK(opens_with(kTokens, sound[kTokens]));
  CHECK_FALSE(opens_with(kTokens, 0));       // a boundary
  CHECK_FALSE(opens_with(kTokens, '\x7F'));  // not a type of this corpus
  const std::size_t tokens = static_cast<unsigned char>(sound[kCounts]);
  const std::size_t ends = kTokens + (tokens * 4 + 7) / 8 * 8;
  CHECK_FALSE(opens_with(ends, 0));
  CHECK_FALSE(opens_with(ends, '\x7F'));
}

using WordList = std::vector<std::string>;

WordList words_of(const Vocabulary& vocabulary) {
  WordList words;
  for (std::int64_t row = 0; row < vocabulary.size(); ++row) words.push_back(vocabulary.word(row));
  return words;
}

/// Returns the words in a text's vocabulary within limits.
WordList words_of(const std::string& text, const VocabularyLimits& limits) {
  const TempDir folder;
  return words_of(build_vocabulary(encode_tokens(text, folder / "corpus"), limits));
}

TEST_CASE("words are ordered by descending count, then by bytes, after the reserved words") {
  CHECK(words_of("b é a\nc b a\nb Z c\n", {}) ==
        WordList{"<S>", "</S>", "<UNK>", "b", "a", "c", "Z", "é"});
}

TEST_CASE("a vocabulary keeps its limits") {
  const std::string text = "a a a b b c c d\n";
  CHECK(words_of(text, {2, 0}) == WordList{"<S>", "</S>", "<UNK>", "a", "b", "c"});
  CHECK(words_of(text, {1, 5}) == WordList{"<S>", "</S>", "<UNK>", "a", "b"});
  CHECK(words_of(text, {3, 100}) == WordList{"<S>", "</S>", "<UNK>", "a"});
  CHECK_THROWS_WITH_AS(words_of(text, {4, 0}), doctest::Contains("none occurs 4 times"),
                       InputError);
  CHECK_THROWS_WITH_AS(words_of(text, {1, 3}), doctest::Contains("no word"), InputError);
  CHECK_THROWS_WITH_AS(words_of(text, {1, 1}), doctest::Contains("no word"), InputError);
}

TEST_CASE("reserved words spelled in a text are neither words nor boundaries") {
  const TempDir folder;
  const EncodedCorpus corpus = encode_tokens("<S> a </S> <UNK> a b\n", folder / "corpus");
  const Vocabulary vocabulary = build_vocabulary(corpus, {});
  CHECK(words_of(vocabulary) == WordList{"<S>", "</S>", "<UNK>", "a", "b"});
  //                                      <S> </S>  <S> a </S> <UNK> b
  const std::vector<std::int32_t> rows = {0, 1, 2, 3, 2, 2, 4};
  CHECK(target_rows(corpus, vocabulary) == rows);
  CHECK(unknown_tokens(corpus, vocabulary) == 3);
  CHECK_THROWS_WITH_AS(words_of("<S> </S>\n", {}), doctest::Contains("no word"), InputError);
}

TEST_CASE("words that a vocabulary file cannot hold are left out") {
  const TempDir folder;
  // Forms in CoNLL-U may contain spaces and control characters.
  const std::string text =
      "1\ta b\t_\t_\t_\t_\t0\t_\t_\t_\n"
      "2\t!!!MAXTERMID\t_\t_\t_\t_\t1\t_\t_\t_\n"
      "3\t\fx\t_\t_\t_\t_\t1\t_\t_\t_\n"
      "4\tx\t_\t_\t_\t_\t1\t_\t_\t_\n\n";
  InputOptions options;
  options.format = InputFormat::conllu;
  const auto source = open_source(options, "input", std::make_unique<MemoryBytes>(text));
  const EncodedCorpus corpus = encode_corpus(*source, folder / "corpus", "").value();
  REQUIRE(corpus.types().size() == 4);
  const Vocabulary vocabulary = build_vocabulary(corpus, {});
  CHECK(words_of(vocabulary) == WordList{"<S>", "</S>", "<UNK>", "a b", "x"});
  CHECK(words_of(parse_vocabulary(vocabulary_text(vocabulary), "vocabulary")) ==
        words_of(vocabulary));
}

TEST_CASE("a given vocabulary decides the rows, in its own order") {
  const TempDir folder;
  const EncodedCorpus corpus = encode_tokens("b a c\na b\n", folder / "corpus");
  const Vocabulary vocabulary(WordList{"a", "<UNK>", "b", "</S>", "other", "<S>"});
  const std::vector<std::int32_t> rows = target_rows(corpus, vocabulary);
  CHECK(rows == std::vector<std::int32_t>{5, 3, 2, 0, 1});
  CHECK(unknown_tokens(corpus, vocabulary) == 1);

  const Corpus view = training_view(corpus, rows);
  REQUIRE(view.sentence_count() == 2);
  CHECK(view.sentence(0).size() == 3);
  CHECK(view.types[view.sentence(1)[0] - kFirstType] == "a");
  CHECK(view.targets[view.sentence(1)[1]] == 2);
}

}  // namespace

}  // namespace elmo

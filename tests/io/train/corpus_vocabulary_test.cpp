#include "io/train/corpus_vocabulary.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/error.h"
#include "io/model/folder/vocabulary.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/train/encode_text.h"

namespace elmo {
namespace {

using WordList = std::vector<std::string>;

WordList words_of(const Vocabulary& vocabulary) {
  WordList words;
  for (std::int64_t row = 0; row < vocabulary.size(); ++row) words.push_back(vocabulary.word(row));
  return words;
}

/// The words that a text's vocabulary has within limits.
WordList words_of(const std::string& text, const VocabularyLimits& limits) {
  const TempDir folder;
  return words_of(build_vocabulary(encode_tokens(text, folder / "corpus"), limits));
}

TEST_CASE("words stand by falling count, equals by their bytes, behind the reserved ones") {
  CHECK(words_of("b é a\nc b a\nb Z c\n", {}) ==
        WordList{"<S>", "</S>", "<UNK>", "b", "a", "c", "Z", "é"});
}

TEST_CASE("a vocabulary keeps to its limits") {
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
  // Forms of CoNLL-U may hold spaces and control characters.
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

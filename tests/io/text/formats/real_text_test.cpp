// Real texts in many languages, hostile ones and annotated ones, if available.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/fixtures/files.h"
#include "tests/io/fixtures/published.h"
#include "tests/io/text/reading.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

constexpr TokenizerKind kKinds[] = {TokenizerKind::icu, TokenizerKind::ud, TokenizerKind::moses};

/// Reads a valid UTF-8 file and checks that each token equals the text in its span, that spans are
/// in order, and that only white space, controls and invisible characters are between them.
ReadText read_and_check(const fs::path& path, const InputOptions& options = {}) {
  CAPTURE(path);
  const std::string content = content_of(path);
  const ReadText read = read_text(content, options);
  CHECK(read.counters.invalid_sequences == 0);
  CHECK(read.counters.bytes == content.size());
  std::uint64_t last = 0;
  std::string between;
  for (const ReadSentence& sentence : read.sentences) {
    std::string tokens;
    for (const ByteSpan& span : sentence.spans) {
      REQUIRE(last <= span.begin);
      REQUIRE(span.begin < span.end);
      between += content.substr(last, span.begin - last) + " ";
      if (!tokens.empty()) tokens += '|';
      tokens += content.substr(span.begin, span.end - span.begin);
      last = span.end;
    }
    REQUIRE(tokens == sentence.tokens);
  }
  between += content.substr(last);
  CHECK_MESSAGE(read_text(between).counters.empty_sentences == 1, "text was lost: ", between);
  return read;
}

std::set<std::string> words_of(const ReadText& read) {
  std::set<std::string> words;
  for (const ReadSentence& sentence : read.sentences) {
    std::istringstream tokens(sentence.tokens);
    for (std::string token; std::getline(tokens, token, '|');) words.insert(token);
  }
  return words;
}

}  // namespace

TEST_CASE("the Declaration of Human Rights is cut into words in every language") {
  const auto data = reference_data();
  if (!data) return;
  const std::map<std::string, std::string> words = {
      {"arb", "الإنسان"},  {"cmn_hans", "人权"}, {"ell_monotonic", "ανθρώπου"},
      {"eng", "everyone"}, {"fra", "droits"},    {"heb", "אדם"},
      {"hin", "मानव"},     {"jpn", "人権"},      {"kor", "인권"},
      {"rus", "человека"}, {"tha", "สิทธิ"},       {"vie", "nhân"}};
  for (const auto& language : words) {
    CAPTURE(language.first);
    for (const TokenizerKind kind : kKinds) {
      CAPTURE(kTokenizerKinds.word(kind));
      InputOptions options;
      options.tokenizer.kind = kind;
      const ReadText read =
          read_and_check(*data / "data" / "udhr" / (language.first + ".txt"), options);
      CHECK(read.sentences.size() > 60);
      if (kind == TokenizerKind::icu) CHECK(words_of(read).contains(language.second));
    }
  }
}

TEST_CASE("hostile strings are read without losing any of them") {
  const auto data = reference_data();
  if (!data) return;
  for (const fs::directory_entry& file : fs::directory_iterator(*data / "data" / "bad-input")) {
    const std::string content = content_of(file.path());
    const auto ends = std::ranges::count(content, '\n') + (content.ends_with('\n') ? 0 : 1);
    InputOptions options;
    for (const TokenizerKind kind : kKinds) {
      CAPTURE(kTokenizerKinds.word(kind));
      options.tokenizer.kind = kind;
      options.lines = false;
      read_and_check(file.path(), options);
      options.lines = true;
      const ReadText read = read_and_check(file.path(), options);
      CHECK(read.sentences.size() == static_cast<std::size_t>(ends));
    }
    options.format = InputFormat::tokens;
    CHECK(read_text(content, options).sentences.size() == static_cast<std::size_t>(ends));
  }
}

TEST_CASE("a treebank has the words and sentences that it states") {
  const auto data = reference_data();
  if (!data) return;
  const fs::path path = *data / "data" / "ud-en-ewt" / "en_ewt-ud-dev.conllu";
  InputOptions options;
  options.format = InputFormat::conllu;
  const ReadText read = read_text(content_of(path), options);
  CHECK(read.sentences.size() == 2001);
  CHECK(read.counters.documents == 318);
  std::size_t words = 0;
  for (const ReadSentence& sentence : read.sentences) words += sentence.spans.size();
  CHECK(words == 25147);
}

TEST_CASE("a corpus with a paragraph per line is cut into sentences within its paragraphs") {
  const auto data = reference_data();
  if (!data) return;
  const ReadText read = read_and_check(*data / "data" / "corpus" / "valid.txt");
  CHECK(read.sentences.size() > 11000);
  CHECK(read.sentences.size() < 12000);
  CHECK(read.counters.cut_sentences == 0);
}

}  // namespace elmo

// Words that look the same, and forms in which models read them.
#include "io/text/segment/normalization.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "tests/io/text/reading.h"

namespace elmo {
namespace {

constexpr std::string_view kComposed = "caf\u00e9";
constexpr std::string_view kDecomposed = "cafe\u0301";

/// Returns the encoded forms of the tokens of the first sentence, joined by '|'.
std::string encoded_text(std::string_view text, const InputOptions& options) {
  const auto source = open_source(options, "input", std::make_unique<MemoryBytes>(text));
  Sentence sentence;
  source->next(sentence);
  std::string encoded;
  for (std::size_t token = 0; token < sentence.size(); ++token) {
    if (token > 0) encoded += '|';
    encoded += sentence.encoded(token);
  }
  return encoded;
}

InputOptions reading(InputFormat format, Normalization of_text, Normalization of_tokens) {
  InputOptions options;
  options.format = format;
  options.tokenizer = {TokenizerKind::ud, ""};
  options.tokenizer.normalization = of_text;
  options.tokenizer.token_normalization = of_tokens;
  return options;
}

}  // namespace

TEST_CASE("canonically equivalent texts have one canonical form") {
  for (const auto& [text, form] : {std::pair{kDecomposed, kComposed},
                                   {kComposed, kComposed},
                                   {"plain", "plain"},
                                   {"", ""},
                                   {"\u1112\u1161\u11ab", "\ud55c"},  // Hangul
                                   {"a\u0323\u0302", "\u1ead"},       // Vietnamese
                                   {"\u212b", "\u00c5"},              // the sign of a unit
                                   {"\ufb01", "\ufb01"},
                                   {"\u0958", "\u0915\u093c"}}) {  // compatible; excluded
    CAPTURE(text);
    CHECK(canonical_form(text) == form);
    CHECK(normalized(text, Normalization::nfc) == form);
    CHECK(normalized(text, Normalization::none) == text);
  }
}

TEST_CASE("nfkc also replaces compatible letters, and drops invisible characters") {
  for (const auto& [text, form] : {std::pair{"\ufb01nd", "find"},
                                   {"\uff28\uff49\uff11", "Hi1"},
                                   {"\U0001d400\U0001d7d9", "A1"},
                                   {"so\u00adft", "soft"},
                                   {"a\u200bb\u200cc\u2060d\ufeff", "abcd"},
                                   {"e\u200d\u0301", "\u00e9"},
                                   {"\u200b", "\u200b"},
                                   {"cafe\u0301", "caf\u00e9"}}) {
    CAPTURE(text);
    CHECK(normalized(text, Normalization::nfkc) == form);
  }
}

TEST_CASE("a token keeps its text, and has a word and an encoded form") {
  struct Case {
    std::string_view token;
    Normalization normalization;
    std::string_view word;
    std::string_view encoded;
    bool hardly_known;
  };
  using N = Normalization;
  for (const auto& [token, normalization, word, encoded, hardly_known] :
       {Case{"plain", N::nfkc, "plain", "plain", false},
        Case{kComposed, N::nfc, kComposed, kComposed, false},
        Case{kDecomposed, N::none, kComposed, kDecomposed, true},
        Case{kDecomposed, N::nfc, kComposed, kComposed, false},
        Case{"\ufb01nd", N::nfc, "\ufb01nd", "\ufb01nd", true},
        Case{"\ufb01nd", N::nfkc, "\ufb01nd", "find", false},
        Case{"so\u00adft", N::none, "so\u00adft", "so\u00adft", true},
        // ordinary signs, joiners of a script, an emoji
        Case{"\u2026", N::nfc, "\u2026", "\u2026", false},
        Case{"\uff01", N::nfc, "\uff01", "\uff01", false},
        Case{"\u0645\u06cc\u200c\u0634", N::nfc, "\u0645\u06cc\u200c\u0634",
             "\u0645\u06cc\u200c\u0634", false},
        Case{"\u2764\ufe0f", N::nfc, "\u2764\ufe0f", "\u2764\ufe0f", false}}) {
    CAPTURE(token);
    Sentence sentence;
    sentence.add("first", {});
    CHECK(add_token(sentence, token, {1, 2}, normalization) == hardly_known);
    sentence.add("last", {});
    sentence.add_boundaries();
    CHECK(sentence.token(2) == token);
    CHECK(sentence.word(2) == word);
    CHECK(sentence.encoded(2) == encoded);
    CHECK(sentence.encoded(1) == "first");
    CHECK(sentence.word(3) == "last");
    Sentence other;
    other.add(sentence, 2);
    CHECK(other.word(0) == word);
    CHECK(other.encoded(0) == encoded);
  }
}

TEST_CASE("sentences of the same tokens are the same input only in the same form") {
  Sentence composed;
  Sentence plain;
  add_token(composed, kDecomposed, {}, Normalization::nfc);
  add_token(plain, kDecomposed, {}, Normalization::none);
  CHECK(composed.same_tokens(plain));
  CHECK_FALSE(composed.same_input(plain));
  Sentence again;
  add_token(again, kDecomposed, {}, Normalization::nfc);
  CHECK(composed.same_input(again));
}

TEST_CASE("raw text and given tokens have their own forms") {
  using N = Normalization;
  const std::string text(kDecomposed);
  const std::string line = text + "\n";
  const std::string word = "1\t" + text + "\t_\t_\t_\t_\t_\t_\t_\t_\n";
  const std::string record = "{\"text\": \"" + text + "\"}";
  const std::string listed = "{\"tokens\": [\"" + text + "\"]}";
  for (const auto& [format, input, is_text] : {std::tuple{InputFormat::text, &line, true},
                                               {InputFormat::jsonl, &record, true},
                                               {InputFormat::jsonl, &listed, false},
                                               {InputFormat::tokens, &line, false},
                                               {InputFormat::conllu, &word, false},
                                               {InputFormat::vertical, &line, false}}) {
    CAPTURE(*input);
    CHECK(encoded_text(*input, reading(format, N::nfc, N::none)) == (is_text ? kComposed : text));
    CHECK(encoded_text(*input, reading(format, N::none, N::nfc)) == (is_text ? text : kComposed));
  }
  const ReadText read = read_text(line, reading(InputFormat::text, N::nfc, N::none));
  CHECK(read.tokens() == Strings{text});
  CHECK(read.sentences[0].spans == Spans{{0, 6}});
  CHECK(read.counters.hardly_known_tokens == 0);
  CHECK(
      read_text(line, reading(InputFormat::tokens, N::nfc, N::none)).counters.hardly_known_tokens ==
      1);
}

}  // namespace elmo

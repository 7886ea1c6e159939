#include "io/text/input/token_matcher.h"

#include <doctest/doctest.h>

#include <string>

#include "core/error.h"

namespace elmo {
namespace {

TokenQuery query(std::vector<std::string> words, std::string expression = "",
                 bool ignore_case = false) {
  return {std::move(words), std::move(expression), ignore_case};
}

TEST_CASE("words are matched as spelled, or in any case") {
  TokenMatcher exact(query({"bank", "Straße"}));
  CHECK(exact.matches("bank"));
  CHECK(exact.matches("Straße"));
  CHECK(!exact.matches("Bank"));
  CHECK(!exact.matches("banks"));
  TokenMatcher folded(query({"bank", "Straße", "ΣΊΣΥΦΟΣ"}, "", true));
  for (int again = 0; again < 2; ++again) {
    for (const char* token : {"bank", "BANK", "STRASSE", "strasse", "σίσυφος"}) {
      CHECK(folded.matches(token));
    }
    CHECK(!folded.matches("banks"));
  }
}

TEST_CASE("canonically equivalent words and expressions match") {
  const std::string composed = "caf\u00e9";
  const std::string decomposed = "cafe\u0301";
  for (const std::string& asked : {composed, decomposed}) {
    for (const bool ignore_case : {false, true}) {
      TokenMatcher words(query({asked}, "", ignore_case));
      TokenMatcher expression(query({}, asked + "s?", ignore_case));
      for (const std::string& token : {composed, decomposed}) {
        CHECK(words.matches(token));
        CHECK(expression.matches(token));
        CHECK(expression.matches(token + "s"));
      }
      CHECK_FALSE(words.matches("cafe"));
      CHECK(words.matches("CAFE\u0301") == ignore_case);
    }
  }
}

TEST_CASE("an expression matches a token from its first to its last character") {
  TokenMatcher plain(query({}, "b.nks?"));
  CHECK(plain.matches("bank"));
  CHECK(plain.matches("bönks"));
  CHECK(!plain.matches("Bank"));
  CHECK(!plain.matches("bankers"));
  CHECK(!plain.matches("abank"));
  TokenMatcher either(query({"river"}, "\\p{Lu}.*|bank"));
  CHECK(either.matches("river"));
  CHECK(either.matches("Ärger"));
  CHECK(!either.matches("ärger"));
  CHECK(TokenMatcher(query({}, "straße", true)).matches("STRASSE"));
  CHECK(!TokenMatcher(query({}, ".*x")).matches(""));
}

TEST_CASE("invalid expressions, and those that take forever, are refused") {
  for (const char* expression : {"(", "[a", "a{2", "\\p{Nothing}", "*"}) {
    CAPTURE(expression);
    CHECK_THROWS_AS(TokenMatcher(query({}, expression)), RequestError);
  }
  const std::string token(60, 'a');
  TokenMatcher slow(query({}, "(a+)+b"));
  CHECK(slow.matches("ab"));
  CHECK_THROWS_WITH_AS(slow.matches(token), doctest::Contains("takes too long"), RequestError);
  // This expression exceeds the limit of memory, not of time.
  const std::string longest(3 << 20, 'a');
  TokenMatcher deep(query({}, "(a|b)*"));
  CHECK_THROWS_AS(deep.matches(longest), RequestError);
}

}  // namespace
}  // namespace elmo

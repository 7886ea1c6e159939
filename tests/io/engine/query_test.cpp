#include "io/engine/query.h"

#include <doctest/doctest.h>

#include "core/error.h"

namespace elmo {
namespace {

std::string read_query(const std::string& text, const InputOptions& options = {}) {
  const BracketedQuery query = read_bracketed_query(text, options);
  return std::to_string(query.begin) + "-" + std::to_string(query.end) + " " +
         bracketed_text(query.sentence, query.begin, query.end);
}

}  // namespace

TEST_CASE("read_bracketed_query: the word in brackets, tokenized as the input's format says") {
  CHECK(read_query("He sat on the [bank].") == "4-5 He sat on the [bank] .");
  CHECK(read_query("[New York] is big. Yes.") == "0-2 [New York] is big . Yes .");
  CHECK(read_query("the [ban]k") == "1-2 the [bank]");
  InputOptions tokens;
  tokens.format = InputFormat::tokens;
  CHECK(read_query("the [bank]. end", tokens) == "1-2 the [bank.] end");
  InputOptions records;
  records.format = InputFormat::jsonl;
  CHECK(read_query("It's [late]!", records) == "1-2 It's [late] !");
}

TEST_CASE("read_bracketed_query: other texts are refused") {
  for (const char* text : {"", "no brackets", "[a] and [b]", "]a[", "[a", "a]", "a [] b", "a [ ] b",
                           "[[a]]", "[", "[]"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(read_query(text), InputError);
  }
  std::string longest = "[a]";
  for (int i = 0; i < 10000; ++i) longest += " a";
  CHECK_THROWS_WITH_AS(read_query(longest),
                       "found a sentence of 10001 tokens; expected at most 10000", InputError);
}

}  // namespace elmo

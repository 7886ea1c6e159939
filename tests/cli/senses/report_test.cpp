#include "cli/senses/report.h"

#include <doctest/doctest.h>

using namespace elmo;

TEST_CASE("answers of one layer are lines, and answers of several layers a table") {
  SensesResult result;
  result.layers = {"2"};
  result.answers = {{"q1", {"bank%1"}}, {"q2", {std::nullopt}}};
  CHECK(answers_text(result) == "q1 bank%1\n");
  result.layers = {"x", "1"};
  result.answers = {{"q1", {"bank%1", "bank%2"}}, {"q2", {std::nullopt, std::nullopt}}};
  CHECK(answers_text(result) == "id\tx\t1\nq1\tbank%1\tbank%2\nq2\t\t\n");
}

TEST_CASE("several files have a total") {
  SenseSet set;
  set.file = "a.jsonl";
  set.scores.first_candidate = {4, 4, 2};
  set.scores.most_frequent = {4, 4, 4};
  const std::string one = senses_text({set});
  CHECK_MESSAGE(
      one.find("a.jsonl: 4 instances\n  first candidate 50.0, most frequent sense 100.0") == 0,
      one);
  CHECK(one.find("all") == std::string::npos);
  CHECK(senses_text({set, set}).find("all: 8 instances") != std::string::npos);
  CHECK(senses_json({set, set}).find("\"instances\": 8") != std::string::npos);
}

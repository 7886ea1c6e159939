// Questions as stored in files.
#include <doctest/doctest.h>

#include <string>

#include "core/tasks/answer_scores.h"
#include "io/tasks/questions.h"
#include "tests/io/tasks/opened_examples.h"

namespace elmo {
TEST_CASE("a malformed SQuAD file is named with its line") {
  const auto squad = [](const std::string& paragraphs) {
    return "{\"version\": \"1.1\",\n\"data\": [{\"paragraphs\": [" + paragraphs + "]}]}";
  };
  CHECK(
      error_of_groups(
          "qa",
          squad(
              "\n"
              R"({"context": "It is.", "qas": [{"id": "x", "question": "Q?", "answers": [{"text": "Is", "answer_start": 3}]}]})")) ==
      R"(input: line 3: question "x": found "is" at character 3 of the context; expected the answer "Is")");
  CHECK(
      error_of_groups(
          "qa",
          squad(
              R"({"context": "It is.", "qas": [{"id": "x", "question": "Q?", "answers": []}]})")) ==
      R"(input: line 2: question "x": found no answer to 1 of 1 questions, as in SQuAD 2.0; expected at least one answer in the context to each question, as in SQuAD 1.1)");
  for (const char* text :
       {R"({"version": "1"})", R"({"data": {}})", R"({"data": [{"paragraphs": 5}]})",
        R"({"data": [{"paragraphs": [)", R"({"data": []} x)", R"({"data": [],})", R"({"data" [])",
        R"({"data": [{"paragraphs": [}]}]})", R"({"data": ["x"]})", R"({"data": [] "x": 1})"}) {
    CAPTURE(text);
    const std::string error = error_of_groups("qa", text);
    CAPTURE(error);
    CHECK(error.starts_with("input: line 1: found "));
    CHECK(error.find("SQuAD") != std::string::npos);
  }
  CHECK(error_of_groups("qa", R"({"data": []})") ==
        "input: found no question; expected questions with their contexts");
  for (const char* paragraph :
       {R"({"qas": []})", R"({"context": "A", "qas": {}})", R"({"context": "A", "qas": [5]})",
        R"({"context": "A", "qas": [{"question": "Q", "answers": []}]})", R"({"context": tru})",
        R"("text")"}) {
    CAPTURE(paragraph);
    const std::string error = error_of_groups("qa", squad(paragraph));
    CAPTURE(error);
    CHECK(error.starts_with("input: line 2"));
  }
}

TEST_CASE("MRQA's lines have a header, several questions, and inclusive spans of characters") {
  const auto line = [](const std::string& span) {
    return R"({"header": {"dataset": "SQuAD", "split": "train"}})"
           "\n"
           R"({"id": "", "context": "Zoë is Ann.", "qas": [{"qid": "a", "question": "Who?",)"
           R"( "answers": ["Ann"], "detected_answers": [{"text": "Ann", "char_spans": [)" +
           span +
           R"(], "token_spans": [[2, 2]]}]}, {"qid": "b", "question": "Is it?", "answers": ["Zoë"],)"
           R"( "detected_answers": [{"text": "Zoë", "char_spans": [[0, 2]]}]}]})"
           "\n";
  };
  LabelSet labels;
  const auto groups = read_groups("qa", line("[7, 9]"), labels);
  REQUIRE(groups.size() == 1);
  REQUIRE(groups[0].records.size() == 2);
  CHECK(groups[0].records[0].gold->as<AskedQuestion>().id == "a");
  CHECK(groups[0].records[1].gold->as<AskedQuestion>().id == "b");
  CHECK(error_of_groups("qa", line("[7, 10]"))
            .starts_with("input: line 2: qas[0].detected_answers[0].char_spans[0] is [7,10]; "
                         "expected a span of the 3 characters"));
  CHECK(
      error_of_groups("qa", line("[6, 8]")).find("question \"a\": found \" An\" at character 6") !=
      std::string::npos);
}

TEST_CASE("a paragraph of lines has a maximum number of questions") {
  std::string text;
  for (std::size_t n = 0; n < kMaxQuestions + 1; ++n) {
    text += R"({"id": ")" + std::to_string(n) +
            R"(", "context": "It is Ann.", "question": "Who is it?", "answers": [{"text": "Ann", )"
            R"("start": 6}]})"
            "\n";
  }
  LabelSet labels;
  const std::vector<ExampleGroup> groups = read_groups("qa", text, labels);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].records.size() == kMaxQuestions);
  CHECK(groups[1].records[0].gold->as<AskedQuestion>().id == "256");
}

}  // namespace elmo

// Questions in both formats, and the positions of their answers.
#include "io/tasks/questions.h"

#include <doctest/doctest.h>

#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/tasks/answer_scores.h"
#include "core/text.h"
#include "io/json/json.h"
#include "io/tasks/kinds.h"

namespace elmo {
namespace {

using Numbers = std::vector<std::int32_t>;
using AnswerSpans = std::vector<AnswerSpan>;

LabelSet no_labels;

std::unique_ptr<ExampleFile> open_input(const ExampleInput& input, std::string_view text) {
  return open_examples(input, *labeled_kind("qa"), no_labels, std::make_unique<MemoryBytes>(text));
}

std::unique_ptr<ExampleFile> open_questions(std::string_view text, bool labeled = true) {
  ExampleInput input;
  input.file = "input";
  input.labeled = labeled;
  return open_input(input, text);
}

std::vector<ExampleGroup> read_questions(std::string_view text, bool labeled = true) {
  const auto source = open_questions(text, labeled);
  std::vector<ExampleGroup> groups;
  ExampleGroup group;
  while (source->next(group)) groups.push_back(group);
  CHECK_FALSE(source->next(group));
  return groups;
}

std::string error_of_questions(std::string_view text, bool labeled = true) {
  try {
    read_questions(text, labeled);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Returns a line with one question and one answer.
std::string question_line(const std::string& id, std::string_view context, std::string_view answer,
                          const std::string& start) {
  return R"({"id": )" + json_text(id) + R"(, "context": )" + json_text(context) +
         R"(, "question": "Who is it?", "answers": [{"text": )" + json_text(answer) +
         R"(, "start": )" + start + "}]}\n";
}

std::string predicted(const ExampleGroup& group, const AnswerSpans& spans,
                      PredictionFormat format = PredictionFormat::jsonl) {
  std::vector<PredictionPointer> predictions;
  for (const AnswerSpan& span : spans) {
    predictions.push_back(std::make_shared<AnswerPrediction>(span, 0.5F));
  }
  const auto writer = labeled_kind("qa")->writer({.format = format});
  const std::string text = writer->text_of(group, predictions);
  return text + writer->end();
}

const AskedQuestion& asked(const ExampleGroup& group, std::size_t record = 0) {
  return group.records[record].gold->as<AskedQuestion>();
}

std::string joined_tokens(const Sentence& sentence) { return sentence.text(); }

}  // namespace

TEST_CASE("lines with the same context share its text") {
  const std::string text =
      R"({"id": "q1", "title": "t", "context": "Ann met Bob. Ann left.", "question": "Who left?",)"
      R"( "answers": [{"text": "Ann", "start": 13, "starts": [0, 13]}]})"
      "\n \r\n"
      R"({"context": "Ann met Bob. Ann left.", "question": "Whom?", "answers": [{"text": "Bob",)"
      R"( "start": 8}, {"text": "Bob.", "start": 8}, {"text": "Bob", "start": 8}]})"
      "\r\n"
      R"({"id": 7, "context": "Other.", "question": "What?", "answers": [{"text": "Other",)"
      R"( "start": 0}]})";
  const std::vector<ExampleGroup> groups = read_questions(text);
  REQUIRE(groups.size() == 2);
  const ExampleGroup& group = groups[0];
  REQUIRE(group.texts.size() == 3);
  CHECK(joined_tokens(group.texts[0]) == "Ann met Bob . Ann left .");
  CHECK(joined_tokens(group.texts[1]) == "Who left ?");
  CHECK(group.texts[0].line == 1);
  CHECK(group.texts[2].line == 3);
  CHECK(group.texts[0].spans()[2] == ByteSpan{8, 11});
  REQUIRE(group.records.size() == 2);
  CHECK(group.records[0].texts == std::vector<std::uint64_t>{1, 0});
  CHECK(asked(group, 0).window_begins == Numbers{0});
  CHECK(asked(group, 0).spans == AnswerSpans{{4, 4}, {0, 0}});
  CHECK(group.records[1].texts == std::vector<std::uint64_t>{2, 0});
  CHECK(asked(group, 1).spans == AnswerSpans{{2, 2}, {2, 3}});
  CHECK(asked(group, 0).id == "q1");
  CHECK(asked(group, 1).id == "3");
  CHECK(asked(groups[1]).id == "7");
  CHECK(asked(group, 1).agreement({2, 2}).exact == 1.0);
  CHECK(asked(group, 1).agreement({2, 3}).exact == 1.0);
  CHECK(asked(group, 1).agreement({1, 2}).exact == 0.0);
  CHECK(asked(group, 1).agreement({1, 2}).f1 == doctest::Approx(2.0 / 3.0));
}

TEST_CASE("SQuAD's JSON as it is distributed") {
  const std::string text =
      R"({"version": "1.1", "other": [{"]": "}\""}, -1.5e3, null], "data": [{"title": "x", "paragraphs": []}, )"
      "\n"
      R"({"title": "T", "paragraphs": [{"context": "The \"big\" cat.", "qas": [)"
      R"({"answers": [{"answer_start": 5, "text": "big"}], "question": "How?", "id": "a"},)"
      R"({"answers": [{"answer_start": 10, "text": "cat"}, {"answer_start": 4, "text": "\"big\" cat"}],)"
      R"( "question": "What?", "id": "b"}]},)"
      "\n"
      R"({"context": "None.", "qas": []}, {"context": "One.", "qas": [{"answers": [{"answer_start": 0,)"
      R"( "text": "One"}], "question": "Who?", "id": "c"}]}]}], "more": "x"})"
      "\n";
  const std::vector<ExampleGroup> groups = read_questions(text);
  REQUIRE(groups.size() == 2);
  CHECK(joined_tokens(groups[0].texts[0]) == "The \" big \" cat .");
  CHECK(groups[0].texts[0].line == 2);
  CHECK(asked(groups[0], 0).spans == AnswerSpans{{2, 2}});
  CHECK(asked(groups[0], 1).spans == AnswerSpans{{4, 4}, {1, 4}});
  CHECK(asked(groups[1]).id == "c");
  CHECK(groups[1].texts[0].line == 3);

  // There is no other difference between the formats.
  const std::vector<ExampleGroup> lines = read_questions(
      R"({"id": "a", "context": "The \"big\" cat.", "question": "How?", "answers": [{"text": "big", "start": 5}]})"
      "\n");
  CHECK(lines[0].texts[0].same_tokens(groups[0].texts[0]));
  CHECK(asked(lines[0]).spans == asked(groups[0]).spans);
}

TEST_CASE("code points, bytes and tokens of answers are distinguished") {
  struct Case {
    std::string context;
    std::string answer;
    int start;
    AnswerSpan span;
    const char* line;  // predicted for that span
  };
  const Case cases[] = {
      // An emoji with a modifier is two code points in eight bytes.
      {"👍🏽 said Ann, 😀.",
       "Ann",
       8,
       {2, 2},
       R"("answer": "Ann", "start": 8, "end": 11, "probability": 0.5, "bytes": [14, 17])"},
      {"👍🏽 said Ann, 😀.",
       "😀",
       13,
       {4, 4},
       R"("answer": "😀", "start": 13, "end": 14, "probability": 0.5, "bytes": [19, 23])"},
      // Combining marks are separate code points.
      {"Re\u0301ne\u0301 met Ann.",
       "Ann",
       11,
       {2, 2},
       R"("answer": "Ann", "start": 11, "end": 14, "probability": 0.5, "bytes": [13, 16])"},
      {"Re\u0301ne\u0301 met Ann.",
       "Re\u0301ne\u0301",
       0,
       {0, 0},
       "\"answer\": \"Re\u0301ne\u0301\", \"start\": 0, \"end\": 6, \"probability\": 0.5, "
       "\"bytes\": [0, 8]"},
      // CR LF is two code points.
      {"One.\r\nTwo men\r\nthree.",
       "Two men\r\nthree",
       6,
       {2, 4},
       R"("answer": "Two men\r\nthree", "start": 6, "end": 20, "probability": 0.5, "bytes": [6, 20])"},
      {"세종은 1397년에 태어났다.",
       "1397년",
       4,
       {1, 2},
       R"("answer": "1397년에", "start": 4, "end": 10, "probability": 0.5, "bytes": [10, 20])"},
      // An answer that covers part of a token covers all of it.
      {"It cost $1,000,000 then.",
       "1,000",
       9,
       {3, 3},
       R"("answer": "1,000,000", "start": 9, "end": 18, "probability": 0.5, "bytes": [9, 18])"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.context);
    CAPTURE(one.answer);
    const std::vector<ExampleGroup> groups =
        read_questions(question_line("i", one.context, one.answer, std::to_string(one.start)));
    REQUIRE(groups.size() == 1);
    CHECK(asked(groups[0]).spans == AnswerSpans{one.span});
    CHECK(predicted(groups[0], {one.span}) == std::string("{\"id\": \"i\", ") + one.line + "}\n");
  }
  // The same text with escapes; a surrogate pair is one code point.
  const std::vector<ExampleGroup> escaped = read_questions(
      R"({"context": "\ud83d\ude00 A\u0301nn", "question": "?", "answers": [{"text": "A\u0301nn", "start": 2}]})");
  CHECK(asked(escaped[0], 0).spans == AnswerSpans{{1, 1}});
}

TEST_CASE("a long context is cut into overlapping windows") {
  std::string context;
  for (int n = 0; n < 900; ++n) context += "w" + std::to_string(n) + " ";
  const auto start = context.find("w500 ");
  const std::vector<ExampleGroup> groups =
      read_questions(question_line("i", context, "w500 w501", std::to_string(start)));
  REQUIRE(groups.size() == 1);
  const ExampleGroup& group = groups[0];
  REQUIRE(group.texts.size() == 4);
  CHECK(group.texts[0].size() == kWindowTokens);
  CHECK(group.texts[1].size() == kWindowTokens);
  CHECK(group.texts[2].size() == 900 - 2 * kWindowStep);
  CHECK(group.texts[1].token(0) == "w384");
  CHECK(group.texts[2].token(131) == "w899");
  CHECK(group.texts[1].spans()[0] == group.texts[0].spans()[kWindowStep]);
  CHECK(group.records[0].texts == std::vector<std::uint64_t>{3, 0, 1, 2});
  CHECK(asked(group, 0).window_begins == Numbers{0, 384, 768});
  CHECK(asked(group, 0).spans == AnswerSpans{{500, 501}});
  const std::string line = predicted(group, {{500, 501}});
  CHECK(line.find(R"("answer": "w500 w501", "start": )" + std::to_string(start)) !=
        std::string::npos);
  CHECK(line.ends_with(R"(, "windows": 3})"
                       "\n"));

  // A context of exactly one window is not cut.
  context.clear();
  for (std::size_t n = 0; n < kWindowTokens; ++n) context += "a ";
  CHECK(asked(read_questions(question_line("i", context, "a", "0"))[0]).window_begins ==
        Numbers{0});
  context += "a";
  CHECK(asked(read_questions(question_line("i", context, "a", "0"))[0]).window_begins ==
        Numbers{0, 384});
}

TEST_CASE("answers are ignored in prediction") {
  const std::vector<ExampleGroup> groups = read_questions(
      R"({"id": "a", "context": "A b.", "question": "C?"})"
      "\n"
      R"({"id": "b", "context": "A b.", "question": "C?", "answers": [{"text": "x", "start": "y"}]})",
      false);
  REQUIRE(groups.size() == 1);
  CHECK(asked(groups[0]).spans.empty());
  CHECK(predicted(groups[0], {{0, 1}, {2, 2}}, PredictionFormat::squad) ==
        R"({"a": "A b", "b": "."})"
        "\n");
  CHECK(read_questions("", false).empty());
}

TEST_CASE("malformed questions are named with file and line") {
  const std::string good = question_line("g", "It is Ann.", "Ann", "6");
  CHECK(error_of_questions("") ==
        "input: found no question; expected questions with their contexts");
  CHECK(
      error_of_questions(good + question_line("x", "It is Ann.", "Bob", "6")) ==
      R"(input: line 2: question "x": found "Ann" at character 6 of the context; expected the answer "Bob")");
  CHECK(
      error_of_questions(question_line("x", "It is Ann.", "Ann", "3")) ==
      R"(input: line 1: question "x": found "is " at character 3 of the context; expected the answer "Ann")");
  CHECK(
      error_of_questions(question_line("x", "It is Ann.", "Ann.", "7")) ==
      R"(input: line 1: question "x": found "nn." at character 7 of the context; expected the answer "Ann.")");
  CHECK(
      error_of_questions(question_line("x", "😀 Ann.", "Ann", "5")) ==
      R"(input: line 1: question "x": found "." at character 5 of the context; expected the answer "Ann")");
  CHECK(
      error_of_questions(question_line("x", "It is.", "Ann", "7")) ==
      R"(input: line 1: question "x": found an answer at 7 of a context of 6 characters; expected a position in it)");
  CHECK(error_of_questions(question_line("x", "It is.", "", "0")) ==
        R"(input: line 1: question "x": found an answer without text; expected words)");
  CHECK(error_of_questions(question_line("x", "It  is.", " ", "2")) ==
        R"(input: line 1: question "x": found the answer " ", without any word; expected words)");
  CHECK(
      error_of_questions(good +
                         R"({"id": "x", "context": "It is.", "question": "Q?", "answers": []})") ==
      R"(input: line 2: question "x": found no answer to 1 of 2 questions, as in SQuAD 2.0; expected at least one answer in the context to each question, as in SQuAD 1.1)");
  CHECK(
      error_of_questions(
          R"({"id": "x", "context": "It is.", "question": "Q?", "answers": [{"text": "is", "start": 3, "starts": [3, 1]}]})") ==
      R"(input: line 1: question "x": found "t " at character 1 of the context; expected the answer "is")");
  CHECK(error_of_questions(question_line("x", " ", " ", "0")) ==
        R"(input: line 1: question "x": found a context without any word; expected words)");
  CHECK(
      error_of_questions(R"({"id": "x", "context": "A", "question": "", "answers": []})", false) ==
      R"(input: line 1: question "x": found a question without any word; expected words)");

  // Wrong types and missing members.
  const auto names = [](const std::string& error, const std::string& part) {
    CAPTURE(error);
    CHECK(error.starts_with("input: line 1"));
    CHECK(error.find(part) != std::string::npos);
  };
  names(error_of_questions(R"({"id": "x", "question": "Q?", "answers": []})"), "context");
  names(error_of_questions(R"({"id": [], "context": "A", "question": "Q?", "answers": []})"), "id");
  names(error_of_questions(R"({"context": "A", "question": 5, "answers": []})"), "question");
  names(error_of_questions(R"({"context": "A", "question": "Q?"})"), "answers");
  names(error_of_questions(R"({"context": "A", "question": "Q?", "answers": "A"})"), "answers");
  names(error_of_questions(
            R"({"context": "A", "question": "Q?", "answers": [{"text": "A", "start": -1}]})"),
        "answers[0].start");
  names(error_of_questions(
            R"({"context": "A", "question": "Q?", "answers": [{"text": 5, "start": 0}]})"),
        "answers[0].text");
  names(
      error_of_questions(
          R"({"context": "A", "question": "Q?", "answers": [{"text": "A", "start": 0, "starts": 0}]})"),
      "answers[0].starts");
  names(error_of_questions("[1]"), "");
  names(error_of_questions("label\ttext"), "JSON");
}

TEST_CASE("malformed questions are left out and counted on request") {
  const auto ids_of = [](std::string_view text, std::uint64_t malformed) {
    ExampleInput input;
    input.file = "input";
    input.labeled = false;
    input.skip_bad_records = true;
    const auto source = open_input(input, text);
    std::string ids;
    for (ExampleGroup group; source->next(group);) {
      for (const TaskRecord& record : group.records) {
        CHECK(record.texts.front() < group.texts.size());
        ids += record.gold->as<AskedQuestion>().id;
      }
    }
    CHECK(source->counters().malformed == malformed);
    return ids;
  };
  const std::string blank = R"({"id": "e", "context": " ", "question": "Who?"})"
                            "\n";
  CHECK(error_of_questions(blank, false) ==
        R"(input: line 1: question "e": found a context without any word; expected words)");
  const std::string good = R"({"id": "a", "context": "It is Ann.", "question": "Who?"})"
                           "\n";
  // A thread that reads ahead finds some errors, the caller's thread the others.
  std::string many;
  for (int n = 0; n < 2000; ++n) many += "5\n" + blank;
  CHECK(ids_of(many + good, 4000) == "a");
  CHECK(ids_of(blank + good +
                   R"({"id": "b", "context": "It is Ann.", "question": " "})"
                   "\n5\n{\n" +
                   good,
               4) == "aa");
  CHECK(ids_of(R"({"data": [{"paragraphs": [{"context": "", "qas": [{"id": "x", "question": "Q?"},)"
               R"( {"id": "y", "question": "Q?"}]}, {"context": "It is Ann.", "qas": 5},)"
               R"( {"context": "It is Ann.", "qas": [{"id": "z", "question": "Q?"}]}]}]})",
               3) == "z");
}

TEST_CASE("answers in bytes are counted before the context is repaired") {
  const std::string context = "\xff\xe2\x82 \xef\xbf\xbd It is A\xc3nn\xff.";
  const std::string answer = "A\xef\xbf\xbdnn\xef\xbf\xbd";
  const std::string answers = R"("answers": [{"text": ")" + answer;
  const std::string line = R"({"id": "x", "context": ")" + context + R"(", "question": "Who?", )" +
                           answers + R"(", "start": 11}]})";
  const std::string squad = R"({"data": [{"paragraphs": [{"context": ")" + context +
                            R"(", "qas": [{"id": "x", "question": "Who?", )" + answers +
                            R"(", "answer_start": 11}]}]}]}]})";
  for (const std::string& text : {line, squad}) {
    const std::vector<ExampleGroup> groups = read_questions(text);
    REQUIRE(groups.size() == 1);
    const std::string said = predicted(groups[0], asked(groups[0]).spans);
    CAPTURE(said);
    CHECK(said.find(R"("start": 11, "end": 16)") != std::string::npos);
    CHECK(said.find(R"("bytes": [14, 19])") != std::string::npos);
    CHECK(groups[0].texts[0].spans().back() == ByteSpan{19, 20});
  }
}

TEST_CASE("questions without an answer are counted, and left out on request") {
  const std::string text =
      R"({"version": "v2.0", "data": [{"paragraphs": [
{"context": "It is Ann.", "qas": [{"id": "a", "question": "Who?", "is_impossible": true, "answers": []},
 {"id": "b", "question": "Who?", "answers": [{"text": "Ann", "answer_start": 6}], "is_impossible": false}]},
{"context": "It is Bo.", "qas": [{"id": "c", "question": "Who?", "is_impossible": true, "answers": []}]}]}]})";
  CHECK(
      error_of_questions(text) ==
      R"(input: line 2: question "a": found no answer to 2 of 3 questions, as in SQuAD 2.0; expected at least one answer in the context to each question, as in SQuAD 1.1)");
  ExampleInput input;
  input.file = "input";
  input.skip_unanswerable = true;
  const auto source = open_input(input, text);
  ExampleGroup group;
  REQUIRE(source->next(group));
  REQUIRE(group.records.size() == 1);
  CHECK(asked(group).spans == AnswerSpans{{2, 2}});
  CHECK_FALSE(source->next(group));
  CHECK(source->note() == "left out 2 of 3 questions, which have no answer");
  const std::string none = R"({"context": "A", "question": "Q?", "answers": []})";
  const auto empty = open_input(input, none);
  CHECK_THROWS_AS(empty->next(group), InputError);
  CHECK(read_questions(text, false).size() == 2);
}

// Expected results come from evaluate-v1.1.py for the same texts.
TEST_CASE("answers are normalized as SQuAD's scorer does") {
  const std::pair<const char*, const char*> cases[] = {
      {"The  Cat's an_a  the.", "cats ana"},
      {"A", ""},
      {"the, THE", ""},
      {"Theatre at an ant", "theatre at ant"},
      {"a-b", "ab"},
      {"x·a·y", "x· ·y"},
      {"·a", "·"},
      {"a\u0301 b", "\u0301 b"},
      {"á theé", "á theé"},
      {"\u3000the\u2009end\x1f"
       "an\x1c",
       "end"},
      {"“The” end—the", "“ ” end—"},
      {"$5.00 (a lot)", "500 lot"},
      {"한국어 a 문장", "한국어 문장"},
      {"I\u0307STANBUL İ", "i\u0307stanbul i\u0307"},
      {"ΟΔΟΣ the Σ", "οδος σ"},
      {"😀 the 😀a", "😀 😀"},
      {"the² aⅧ", "the² aⅷ"},
      {"a\u200bthe", "\u200b"},
      {"an\u00a0apple", "apple"},
      {"", ""},
  };
  for (const auto& [answer, expected] : cases) {
    CAPTURE(answer);
    CHECK(joined(answer_words(answer), " ") == expected);
  }
}

}  // namespace elmo

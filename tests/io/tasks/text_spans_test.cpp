// Texts with spans of characters.
#include "io/tasks/text_spans.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "tests/io/tasks/opened_examples.h"

namespace elmo {
namespace {

/// "token/label" of all sentences of a file, which "|" ends.
std::string labels_in(std::string_view content, std::string* note = nullptr) {
  ExampleInput input;
  input.file = "input";
  LabelSet labels;
  const auto file =
      open_examples(input, *labeled_kind("tag"), labels, std::make_unique<MemoryBytes>(content));
  std::string all;
  for (ExampleGroup group; file->next(group);) {
    for (const TaskRecord& record : group.records) {
      const Sentence& sentence = group.texts[record.texts.front()];
      const std::vector<std::string> names = labels.names_of(labels_of(record));
      for (std::size_t token = 0; token < sentence.size(); ++token) {
        all.append(sentence.token(token)).append("/").append(names[token]).append(" ");
      }
      all += "|";
    }
  }
  if (note != nullptr) *note = file->note();
  return all;
}

std::string record_of(const std::string& text, const std::string& spans) {
  return R"({"text": ")" + text + R"(", "label": [)" + spans + "]}\n";
}

/// The error of the spans of "One two. Three." in the second line.
std::string error_of(const std::string& spans) {
  return error_of_groups("tag", "\n" + record_of("One two. Three.", spans));
}

const std::string kExpected = "Zoë/B-PER met/O New/B-LOC York/I-LOC ./O |She/O left/O ./O |";

}  // namespace

TEST_CASE("spans of characters become labels of tokens, in every export format") {
  const std::string text = R"("text": "Zoë met New York. She left.")";
  for (const std::string& record :
       {"{" + text + R"(, "label": [[0, 3, "PER"], [8, 16, "LOC"]]})",
        "{" + text + R"(, "entities": [{"start_offset": 8, "end_offset": 16, "label": "LOC"},)" +
            R"( {"start_offset": 0, "end_offset": 3, "label": "PER"}], "relations": []})",
        "{" + text + R"(, "spans": [{"start": 0, "end": 3, "label": "PER", "token_start": 0},)" +
            R"( {"start": 8, "end": 16, "label": "LOC"}], "tokens": [{"text": "Zoë"}]})",
        "{" + text + R"(, "label": [{"start": 0, "end": 3, "text": "Zoë", "labels": ["PER"]},)" +
            R"( {"start": 8, "end": 16, "labels": ["LOC"]}]})",
        "[\n  {\n \"id\": 7, \"data\": {" + text + R"(}, "annotations": [{"was_cancelled": true,)" +
            R"( "result": []}, {"result": [{"value": {"start": 0, "end": 3, "labels": ["PER"]}},)" +
            "\n" + R"({"type": "choices", "value": {"choices": ["x"]}},)" +
            R"({"type": "labels", "value": {"start": 8, "end": 16, "text": "New York",)" +
            R"( "labels": ["LOC"]}}]}, {"result": []}]}])"}) {
    CAPTURE(record);
    std::string note;
    CHECK(labels_in(record + "\n", &note) == kExpected);
    const std::string also =
        record.starts_with("[")
            ? "; 1 text with several annotations, of which the first is read; 1 "
              "result of other types left out: choices"
            : "";
    CHECK(note == "labels are read as spans of characters" + also);
  }
}

TEST_CASE("Label Studio's results of other types are read as spans or counted") {
  const auto task = [](const std::string& annotations) {
    return R"({"data": {"text": "Zoë met New York. She left."}, "annotations": [)" + annotations +
           "]}\n";
  };
  const std::string person =
      R"({"type": "labels", "value": {"start": 0, "end": 3, "labels": ["PER"]}})";
  std::string note;
  CHECK(labels_in(task(R"({"result": [)" + person +
                       R"(, {"type": "hypertextlabels", "value": {"start": "/text()[1]", "end": )"
                       R"("/text()[1]", "startOffset": 8, "endOffset": 16, "globalOffsets": )"
                       R"({"start": 8, "end": 16}, "text": "New York", "hypertextlabels": )"
                       R"(["LOC"]}}, {"type": "choices", "value": {"choices": ["x"]}}, )"
                       R"({"type": "relation", "direction": "right"}, {"type": "choices"}]})"),
                  &note) == kExpected);
  CHECK(note ==
        "labels are read as spans of characters; 3 results of other types left out: choices, "
        "relation");
  CHECK(labels_in(task(R"({"result": [)" + person + R"(]}, {"result": []})"), &note) ==
        "Zoë/B-PER met/O New/O York/O ./O |She/O left/O ./O |");
  CHECK(note ==
        "labels are read as spans of characters; 1 text with several annotations, of which the "
        "first is read");
  CHECK(error_of_groups("tag", task(R"({"result": [{"type": "paragraphlabels", "value": {"start": )"
                                    R"("0", "paragraphlabels": ["A"]}}]})"))
            .starts_with("input: line 1: annotations[0].result[0].value.start is \"0\"; expected"));
}

TEST_CASE("records that their annotators rejected are not examples") {
  const std::string good = R"({"text": "A.", "spans": [], "answer": "accept"})";
  const std::string bad = R"({"text": "B.", "spans": [], "answer": "reject"})";
  const std::string canceled =
      R"({"data": {"text": "C."}, "annotations": [{"was_cancelled": true, "result": []}]})";
  CHECK(labels_in(bad + "\n" + good + "\n" + canceled + "\n") == "A/O ./O |");
}

TEST_CASE("spans that do not fit words or sentences are fitted and counted") {
  std::string note;
  CHECK(labels_in(record_of("Yorkers left. They did.", R"([0, 4, "LOC"], [8, 18, "X"])"), &note) ==
        "Yorkers/B-LOC left/B-X ./I-X |They/B-X did/O ./O |");
  CHECK(note ==
        "labels are read as spans of characters, 1 span widened to whole words, 1 span divided "
        "between sentences");
}

TEST_CASE("a text without words is not an example, and the file's other texts are") {
  CHECK(labels_in(record_of("", "") + record_of(" ", "") + record_of("A.", R"([0, 1, "X"])")) ==
        "A/B-X ./O |");
}

TEST_CASE("impossible spans are errors with the line") {
  CHECK(error_of(R"([9, 16, "A"])") ==
        "input: line 2: found the span of 'A' from 9 to 16; expected an end after the beginning, "
        "and both within the text; fix the record");
  CHECK(error_of(R"([4, 4, "A"])").find("from 4 to 4; expected an end") != std::string::npos);
  CHECK(error_of(R"([20, 21, "A"])").find("from 20 to 21; expected an end") != std::string::npos);
  CHECK(error_of(R"([3, 4, "A"])").find("from 3 to 4 without a word") != std::string::npos);
  CHECK(error_of(R"([0, 3, "A"], [0, 7, "B"])")
            .find("'B' from 0 to 7, which overlaps the one before it") != std::string::npos);
  CHECK(error_of(R"([0, 1, "A"], [1, 3, "B"])").find("two spans in the word 'One'") !=
        std::string::npos);
  CHECK(error_of(R"({"start": 0, "end": 3, "label": "A", "text": "one"})")
            .find("with the text 'one'; expected 'One', which is there") != std::string::npos);
  CHECK(error_of(R"([0, 3])").find("label[0] is [0,3]; expected [begin, end, label]") !=
        std::string::npos);
  CHECK(error_of(R"([0, 3, ""])").find("an empty label") != std::string::npos);
  CHECK(error_of_groups("tag", "{\"text\": \"One.\"}\n").find("spans is missing") !=
        std::string::npos);
}

}  // namespace elmo

#include "io/labeled/srl/frame_writer.h"

#include <doctest/doctest.h>

#include "core/error.h"

namespace elmo {
namespace {

/// "He said it" with two frames, and what was predicted for them.
struct PredictedSentence {
  explicit PredictedSentence(std::vector<std::int32_t> given) {
    Sentence sentence;
    for (const char* token : {"He", "said", "\"it\""}) sentence.add(token, {});
    sentence.line = 4;
    group.texts.push_back(sentence);
    TaskRecord& record = group.records.emplace_back();
    record.texts = {0};
    record.given = std::move(given);
  }

  std::string text(PredictionFormat format) {
    const auto writer = srl_writer(format, {"O", "B-V", "B-A", "I-A"});
    return writer->text_of(group, predictions) + writer->end();
  }

  ExampleGroup group;
  std::vector<TaskPrediction> predictions = {{{2, 3, 0, 0, 1, 2}, {}, {}}};
};

}  // namespace

TEST_CASE("frames are written as records") {
  CHECK(PredictedSentence({2, 1}).text(PredictionFormat::jsonl) ==
        R"({"tokens": ["He", "said", "\"it\""], "frames": [)"
        R"({"predicate": 2, "tags": ["B-A", "I-A", "O"]}, )"
        R"({"predicate": 1, "tags": ["O", "B-V", "B-A"]}]})"
        "\n");
}

TEST_CASE("predicates that were found are written like those that were given") {
  PredictedSentence sentence({-1});
  sentence.predictions[0].found = {0, 2};
  CHECK(sentence.text(PredictionFormat::jsonl) ==
        R"({"tokens": ["He", "said", "\"it\""], "frames": [)"
        R"({"predicate": 0, "tags": ["B-A", "I-A", "O"]}, )"
        R"({"predicate": 2, "tags": ["O", "B-V", "B-A"]}]})"
        "\n");
  sentence.predictions = {{}};
  CHECK(sentence.text(PredictionFormat::jsonl) ==
        R"({"tokens": ["He", "said", "\"it\""], "frames": []})"
        "\n");
  CHECK(sentence.text(PredictionFormat::columns) == "-\n-\n-\n\n");
}

TEST_CASE("frames are written in columns, by their predicates' order") {
  CHECK(PredictedSentence({2, 1}).text(PredictionFormat::columns) ==
        "-\t*\t(A*\n"
        "said\t(V*)\t*)\n"
        "\"it\"\t(A*)\t*\n\n");
  CHECK_THROWS_WITH_AS(PredictedSentence({1, 1}).text(PredictionFormat::columns),
                       "line 4: found two frames of token 1; expected one of each predicate, which "
                       "columns can hold",
                       InputError);
}

TEST_CASE("sentences without tokens keep their place") {
  PredictedSentence sentence({});
  sentence.group.texts[0] = {};
  sentence.group.records.clear();
  sentence.predictions.clear();
  CHECK(sentence.text(PredictionFormat::jsonl) == "{\"tokens\": [], \"frames\": []}\n");
  CHECK(sentence.text(PredictionFormat::columns) == "\n");
}

TEST_CASE("frames are written in no other format") {
  CHECK_THROWS_WITH_AS(srl_writer(PredictionFormat::squad, {}),
                       "frames are written as jsonl or columns; found squad", RequestError);
  CHECK_THROWS_AS(srl_writer(PredictionFormat::conllu, {}), RequestError);
}

}  // namespace elmo

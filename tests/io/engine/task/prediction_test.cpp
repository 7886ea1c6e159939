#include "io/engine/task/prediction.h"

#include <doctest/doctest.h>
#include <fcntl.h>

#include "core/error.h"
#include "io/files/descriptor.h"
#include "tests/io/engine/task/small_task.h"

using namespace elmo;

TEST_CASE("sentences are labeled in the format of the input") {
  const TempDir folder;
  const TaskRequest task = small_task(folder);
  train_small_task(task);
  write_file(folder / "text", "the sea falls\n");
  PredictionRequest request;
  request.folder = task.output;
  request.threads = 1;
  request.input.files = {(folder / "text").string()};
  request.form = TextForm::tokens;
  RunListener listener;
  const auto predicted = [&] {
    const Descriptor file = open_descriptor(folder / "labels", O_CREAT | O_TRUNC | O_WRONLY);
    const PredictionForms forms = prediction_forms(request, *task.kind, listener);
    predict_files(request, forms, listener, Stream(file.get(), "labels"));
    return content_of(folder / "labels");
  };
  CHECK(predicted() == "the\tDET\nsea\tNOUN\nfalls\tVERB\n\n");
  request.format = PredictionFormat::jsonl;
  CHECK(predicted().find(R"("labels": ["DET", "NOUN", "VERB"])") != std::string::npos);
}

TEST_CASE("arrays of records, and texts in \"data\", are labeled like records of text") {
  const TempDir folder;
  const TaskRequest task = small_task(folder);
  train_small_task(task);
  PredictionRequest request;
  request.folder = task.output;
  request.threads = 1;
  RunListener listener;
  const auto predicted = [&](const std::string& records) {
    write_file(folder / "records.json", records);
    request.input.files = {(folder / "records.json").string()};
    const Descriptor file = open_descriptor(folder / "labels", O_CREAT | O_TRUNC | O_WRONLY);
    const PredictionForms forms = prediction_forms(request, *task.kind, listener);
    predict_files(request, forms, listener, Stream(file.get(), "labels"));
    return content_of(folder / "labels");
  };
  const std::string expected = predicted(
      "\n{\"id\": 7, \"text\": \"the sea falls\"}\n\n{\"id\": \"b\", \"text\": \"the rain\"}\n");
  CHECK(expected.find(R"(["DET", "NOUN", "VERB"])") != std::string::npos);
  CHECK(predicted("[\n  {\"id\": 7, \"text\": \"the sea falls\",\n   \"label\": [[4, 7, \"X\"]]},\n"
                  "  {\"id\": \"b\", \"text\": \"the rain\"}\n]\n") == expected);
  CHECK(predicted(
            "[\n  {\"id\": 7, \"data\": {\"text\": \"the sea falls\"},\n   \"annotations\": []},\n"
            "  {\"id\": \"b\", \"data\": {\"text\": \"the rain\"}}\n]\n") == expected);
  CHECK_THROWS_WITH_AS(predicted("[{\"text\": \"a\"},\n {\"texts\": \"b\"}]"),
                       doctest::Contains("records.json: line 2: found no field 'text'"),
                       InputError);
}

TEST_CASE("input and output formats follow the file names and the first records") {
  const TempDir folder;
  PredictionRequest request;
  RunListener listener;
  const auto forms_of = [&](const std::string& name, const char* kind) {
    request.input.files = {(folder / name).string()};
    return prediction_forms(request, *labeled_kind(kind), listener);
  };
  write_file(folder / "a.conllu", "");
  write_file(folder / "a.jsonl", "{\"tokens\": [\"a\"]}\n");
  CHECK(forms_of("a.conllu", "tag").output == PredictionFormat::conllu);
  CHECK(forms_of("a.conllu", "srl").output == PredictionFormat::jsonl);
  CHECK(forms_of("a.jsonl", "tag").input == TextForm::token_records);
  CHECK(forms_of("a.jsonl", "pair").input == TextForm::jsonl);
  CHECK(forms_of("a.conllu", "qa").input == TextForm::jsonl);
  CHECK_THROWS_WITH_AS(forms_of("a.conllu", "pair"),
                       "input_format conllu: a model of the kind pair cannot read it; expected "
                       "text, jsonl or columns",
                       RequestError);
  request.input.files.push_back((folder / "a.jsonl").string());
  CHECK_THROWS_AS(prediction_forms(request, *labeled_kind("tag"), listener), RequestError);
  request.form = TextForm::text;
  request.format = PredictionFormat::conllu;
  CHECK(prediction_forms(request, *labeled_kind("tag"), listener).input == TextForm::text);
  request.column = "ner";
  CHECK_THROWS_AS(prediction_forms(request, *labeled_kind("tag"), listener), RequestError);
}

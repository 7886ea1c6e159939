#include "cli/task/request.h"

#include <doctest/doctest.h>

#include "core/error.h"

using namespace elmo;

namespace {

template <typename Check>
std::string problem_of(const Check& check) {
  try {
    check();
  } catch (const RequestError& error) {
    return error.what();
  }
  return "";
}

std::string problem_of(const TaskCommand<TaskRequest>& command) {
  return problem_of([&] { check_training(command, command.request); });
}

}  // namespace

TEST_CASE("options of the biLM are refused without a biLM") {
  TaskCommand<TaskRequest> command;
  TaskRequest& request = command.request;
  request.output = "run";
  command.given = {"--mix", "--lambda"};
  CHECK(problem_of(command) == "");
  request.options.mix.kind = MixKind::top;
  CHECK(problem_of(command) == "--lambda makes sense only with --mix all");
  request.options.elmo = ElmoPlace::none;
  CHECK(problem_of(command) == "--mix makes sense only with --elmo input, output or both");
}

TEST_CASE("options of the data are refused for kinds that they do not affect") {
  TaskCommand<TaskRequest> command;
  TaskRequest& request = command.request;
  request.output = "run";
  command.given = {"--column"};
  CHECK(problem_of(command) == "");
  request.kind = labeled_kind("pair");
  CHECK(problem_of(command) == "--column makes sense only with --kind tag");
  command.given = {"--label-weights"};
  CHECK(problem_of(command) == "");
  command.given = {"--skip-unanswerable"};
  CHECK(problem_of(command) == "--skip-unanswerable makes sense only with --kind qa");
  request.kind = labeled_kind("tag");
  command.given = {"--label-weights"};
  CHECK(problem_of(command) == "--label-weights makes sense only with --kind classify, pair");
}

TEST_CASE("a task requires an output unless nothing is written") {
  TaskCommand<TaskRequest> command;
  CHECK(problem_of(command) == "--output is required");
  command.dry_run = true;
  CHECK(problem_of(command) == "");
  command.request.overwrite = true;
  CHECK(problem_of(command).find("--dry-run") != std::string::npos);
}

TEST_CASE("options that no compared setting uses are refused") {
  ComparisonRequest request;
  request.settings = {"none", "top"};
  const auto problem = [&](const char* option) {
    return problem_of([&] { check_comparison({option}, request); });
  };
  CHECK(problem("--elmo-dropout") == "");
  CHECK(problem("--lambda") == "--lambda makes sense only with --settings input, output or both");
  request.settings = {"none"};
  CHECK(problem("--layer-norm") == "--layer-norm makes sense only with --settings other than none");
}

TEST_CASE("options of the data are refused for models of kinds that they do not affect") {
  const auto problem = [&](const char* option, const char* kind) {
    return problem_of([&] { check_evaluation({option}, *labeled_kind(kind)); });
  };
  CHECK(problem("--skip-unanswerable", "qa") == "");
  CHECK(problem("--skip-unanswerable", "tag") ==
        "--skip-unanswerable has no effect on data of the kind tag");
  CHECK(problem("--tokenizer", "srl") == "--tokenizer has no effect on data of the kind srl");
}

TEST_CASE("options of the input are refused for forms that they do not affect") {
  const auto problem = [&](const char* option, const char* kind, const PredictionForms& forms) {
    return problem_of([&] { check_prediction({option}, *labeled_kind(kind), forms); });
  };
  using enum TextForm;
  CHECK(problem("--column", "tag", {text, PredictionFormat::conllu}) == "");
  CHECK(problem("--column", "tag", {text}) == "--column makes sense only with --format conllu");
  CHECK(problem("--column", "srl", {text}) ==
        "--column makes sense only with models that label tokens");
  CHECK(problem("--lines", "tag", {jsonl}) == "");
  CHECK(problem("--lines", "tag", {tokens}) ==
        "--lines makes sense only with --input-format text or jsonl");
  CHECK(problem("--lines", "tag", {token_records}) ==
        "--lines makes sense only with records of text, and the first one holds tokens");
  CHECK(
      problem("--text-field", "tag", {data_records}) ==
      "--text-field makes sense only with records of text, and the first one holds it in \"data\"");
  CHECK(problem("--tokenizer", "tag", {data_records}) == "");
  CHECK(problem("--lines", "qa", {jsonl}) ==
        "--lines makes sense only with models of the kinds tag, srl, coref");
  CHECK(problem("--skip-bad-records", "classify", {text}) ==
        "--skip-bad-records makes sense only with --input-format jsonl or columns");
  CHECK(problem("--strict", "qa", {jsonl}) == "");
}

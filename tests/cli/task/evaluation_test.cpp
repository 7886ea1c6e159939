#include "io/engine/task/evaluation.h"

#include <doctest/doctest.h>

#include "cli/task/report.h"
#include "core/error.h"
#include "tests/io/engine/task/small_task.h"

using namespace elmo;

TEST_CASE("A model is scored, and its wrong labels are found") {
  const TempDir folder;
  const TaskRequest task = small_task(folder);
  train_small_task(task);
  write_file(folder / "test.tsv", kTagged + "falls\tNOUN\n");
  TaskEvaluationRequest request;
  request.folder = task.output;
  request.threads = 1;
  request.file = (folder / "test.tsv").string();
  request.differences = true;
  RunListener listener;
  std::string wrong;
  const auto differed = [&](const WrongLabels& labels) { wrong += differences_text(labels); };
  const TaskEvaluationResult result = evaluate_task(request, listener, differed);
  CHECK(result.examples == 2);
  CHECK(result.confusions.size() == 1);
  CHECK(wrong == request.file + ":7\tfalls\tNOUN\tVERB\n");
  CHECK(scores_text(result).find("expected → predicted") != std::string::npos);
  CHECK(scores_json(result).find("\"kind\": \"tag\"") != std::string::npos);
  request.given = {"--skip-unanswerable"};
  CHECK_THROWS_AS(evaluate_task(request, listener, differed), RequestError);
}

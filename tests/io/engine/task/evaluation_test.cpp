#include "io/engine/task/evaluation.h"

#include <doctest/doctest.h>

#include "tests/io/engine/task/small_task.h"

using namespace elmo;

TEST_CASE("a model is scored, and its wrong labels are reported") {
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
  std::vector<std::string> expected;
  std::vector<std::string> predicted;
  const auto differed = [&](const WrongLabels& labels) {
    CHECK(labels.file == request.file);
    CHECK(labels.of_tokens);
    expected.insert(expected.end(), labels.expected.begin(), labels.expected.end());
    predicted.insert(predicted.end(), labels.predicted.begin(), labels.predicted.end());
  };
  const TaskEvaluationResult result = evaluate_task(request, listener, differed);
  CHECK(result.kind == "tag");
  CHECK(result.examples == 2);
  CHECK(result.confusions == LabelConfusions{{{"NOUN", "VERB"}, 1}});
  CHECK(expected.back() == "NOUN");
  CHECK(predicted.back() == "VERB");
}

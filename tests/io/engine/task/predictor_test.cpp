#include "io/engine/task/predictor.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "tests/io/engine/task/small_task.h"

using namespace elmo;

TEST_CASE("a task reads text like its training text, unless another tokenizer is given") {
  TaskDescription description;
  CHECK(task_tokenizer({}, description).kind == TokenizerKind::ud);
  FormatOptions trained;
  trained.tokenizer.kind = TokenizerKind::moses;
  trained.tokenizer.locale = "de";
  description.tokenizer = describe_tokenizer(trained);
  CHECK(task_tokenizer({}, description).kind == TokenizerKind::moses);
  CHECK(task_tokenizer({}, description).locale == "de");
  CHECK(task_tokenizer({"icu", "fr"}, description).kind == TokenizerKind::icu);
  CHECK(task_tokenizer({"icu", "fr"}, description).locale == "fr");
}

TEST_CASE("a precision requires a biLM") {
  const TempDir folder;
  const TaskRequest task = small_task(folder);
  train_small_task(task);
  PredictorRequest request;
  request.folder = task.output;
  CHECK(Predictor(request).description().labels.size() == 3);
  request.precision = Precision::float32;
  CHECK_THROWS_AS(Predictor{request}, RequestError);
}

#include "io/engine/task/prediction.h"

#include <doctest/doctest.h>
#include <fcntl.h>

#include "core/error.h"
#include "io/files/descriptor.h"
#include "io/labeled/prediction_writer.h"
#include "tests/io/engine/task/small_task.h"

using namespace elmo;

TEST_CASE("Sentences are labeled in the form of the input") {
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
    predict_files(request, listener, Stream(file.get(), "labels"));
    return content_of(folder / "labels");
  };
  CHECK(predicted() == "the\tDET\nsea\tNOUN\nfalls\tVERB\n\n");
  request.format = PredictionFormat::jsonl;
  CHECK(predicted().find(R"("labels": ["DET", "NOUN", "VERB"])") != std::string::npos);
  request.given = {"--column"};
  CHECK_THROWS_WITH_AS(predicted(), "--column makes sense only with --format conllu", RequestError);
  request.given = {"--lines"};
  CHECK_THROWS_AS(predicted(), RequestError);
}

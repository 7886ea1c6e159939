#include "io/engine/train/request.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"

using namespace elmo;

TEST_CASE("A training request names an architecture or a model") {
  RunListener listener;
  CHECK_THROWS_AS(training_start({}, listener), RequestError);
}

TEST_CASE("An architecture of words limits the vocabulary") {
  const TempDir folder;
  const std::string text =
      R"({"lstm": {"dim": 8, "projection_dim": 4, "n_layers": 1, "cell_clip": 3, "proj_clip": 3,
          "use_skip_connections": false}, "n_tokens_vocab": 50})";
  write_file(folder / "options.json", text);
  TrainRequest request;
  request.architecture.options = (folder / "options.json").string();
  request.output = "run";
  RunListener listener;
  const TrainingStart start = training_start(request, listener);
  CHECK(!start.model.char_cnn);
  CHECK(!start.parameters);
  CHECK(start.limits.max_words == 50);
  CHECK(start.reading.tokenizer.kind == TokenizerKind::ud);
}

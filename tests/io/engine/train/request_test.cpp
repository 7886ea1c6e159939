#include "io/engine/train/request.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"

using namespace elmo;

namespace {

TrainRequest complete_request() {
  TrainRequest request;
  request.architecture.preset = "tiny";
  request.output = "run";
  request.valid = "valid.txt";
  return request;
}

void check_refused(const TrainRequest& request, const std::string& word) {
  try {
    validate(request);
    FAIL("accepted, expected an error about " << word);
  } catch (const RequestError& error) {
    CHECK_MESSAGE(std::string(error.what()).find(word) != std::string::npos, error.what());
  }
}

}  // namespace

TEST_CASE("A training request names an architecture or a model, an output and a validation text") {
  TrainRequest request = complete_request();
  CHECK_NOTHROW(validate(request));
  request.output.clear();
  check_refused(request, "--output is required");
  request = complete_request();
  request.valid.clear();
  check_refused(request, "--valid is required");
  request.dry_run = true;
  CHECK_NOTHROW(validate(request));
  request.architecture.preset.clear();
  check_refused(request, "--preset");
  request.model = "model";
  CHECK_NOTHROW(validate(request));
}

TEST_CASE("Options of a training run that exclude each other are refused") {
  TrainRequest request = complete_request();
  request.given = {"--json"};
  check_refused(request, "--json makes sense only with --dry-run");
  request = complete_request();
  request.resume = true;
  request.overwrite = true;
  check_refused(request, "--resume");
  request.overwrite = false;
  request.dry_run = true;
  check_refused(request, "--dry-run");
  request = complete_request();
  request.valid = "-";
  check_refused(request, "--valid");
  request = complete_request();
  request.given = {"--text-field"};
  check_refused(request, "--text-field makes sense only with --input-format jsonl");
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
  CHECK(request.limits.max_words == 50);
}

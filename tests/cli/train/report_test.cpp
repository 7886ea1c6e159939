#include "cli/train/report.h"

#include <doctest/doctest.h>

#include <limits>

#include "core/error.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"

using namespace elmo;

namespace {

constexpr const char* kBilmProgress =
    R"({"step": 20, "tokens": 51200, "loss_forward": 6.1, "loss_backward": 6.2, )"
    R"("learning_rate": 0.001, "gradient_norm": 0.8, "seconds": 9.5})"
    "\n";

}  // namespace

TEST_CASE("curves of a run go into its folder unless a file is given") {
  const TempDir run;
  write_file(run / "progress.jsonl", kBilmProgress);
  PlotRequest request;
  request.runs = {run.path().string()};
  validate(request);
  CHECK(plot(request) == run / "curves.svg");
  CHECK(content_of(run / "curves.svg").find("Training loss") != std::string::npos);
  request.runs.push_back(request.runs.front());
  CHECK_THROWS_AS(validate(request), RequestError);
  request.output = (run / "both.svg").string();
  validate(request);
  CHECK(plot(request) == run / "both.svg");
}

TEST_CASE("a picture replaces no file of a run, and its runs are of one kind") {
  const TempDir run;
  write_file(run / "progress.jsonl", kBilmProgress);
  PlotRequest request;
  request.runs = {run.path().string()};
  request.output = (run / "progress.jsonl").string();
  CHECK_THROWS_AS(validate(request), RequestError);
  const TempDir empty;
  request.output.clear();
  request.runs = {empty.path().string()};
  CHECK_THROWS_AS(plot(request), InputError);
}

TEST_CASE("a dry run that took no time has a rate and a time") {
  DryTraining found;
  found.tokens_per_second = std::numeric_limits<double>::infinity();
  found.seconds = std::numeric_limits<double>::infinity();
  const std::string text = dry_training_text(found);
  CHECK_MESSAGE(
      text.find("about 277777 h 46 min to the end, at 1,000,000,000,000,000,000 tokens/s") !=
          std::string::npos,
      text);
}

#include "io/train/run_folder.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/error.h"
#include "io/files/paths.h"
#include "io/model/save.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/models.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

TEST_CASE("a folder is checked for the requested run, and not made") {
  const TempDir dir;
  check_run_folder(dir / "new", RunMode::create);
  CHECK_FALSE(is_folder(dir / "new"));
  make_folder(dir / "new");
  write_file(dir / "new" / kMetricsFile, "");
  CHECK_THROWS_WITH_AS(check_run_folder(dir / "new", RunMode::create),
                       doctest::Contains("holds a run already"), RequestError);
  CHECK_NOTHROW(check_run_folder(dir / "new", RunMode::resume));
  CHECK_NOTHROW(check_run_folder(dir / "new", RunMode::overwrite));
}

TEST_CASE("a run does not replace a model by accident") {
  const TempDir dir;
  save_model(dir.path(), small_options(), random_parameters(small_options(), 1), nullptr);
  for (const RunMode mode : {RunMode::create, RunMode::resume}) {
    CHECK_THROWS_WITH_AS(check_run_folder(dir.path(), mode),
                         doctest::Contains("a model that no run there made"), RequestError);
  }
  CHECK_NOTHROW(check_run_folder(dir.path(), RunMode::overwrite));
  write_file(dir / kMetricsFile, "");
  CHECK_THROWS_WITH_AS(check_run_folder(dir.path(), RunMode::resume),
                       doctest::Contains("no checkpoint to resume"), RequestError);
}

TEST_CASE("checkpoints alone show that there is a run, without its log") {
  const TempDir dir;
  save_model(dir.path(), small_options(), random_parameters(small_options(), 1), nullptr);
  make_folder(dir / "checkpoints");
  write_file(dir / "checkpoints/step-0000000020.h5", "");
  CHECK_NOTHROW(check_run_folder(dir.path(), RunMode::resume));
  CHECK_THROWS_WITH_AS(check_run_folder(dir.path(), RunMode::create),
                       doctest::Contains("holds a run already"), RequestError);
}

TEST_CASE("removing a run keeps the encoded text and files that are not the run's") {
  const TempDir dir;
  save_model(dir.path(), small_options(), random_parameters(small_options(), 1), nullptr);
  make_folder(dir / "checkpoints");
  for (const char* name : {kCorpusFile, kMetricsFile, kCurvesFile, "notes.txt"}) {
    write_file(dir / name, "x");
  }
  remove_run(dir.path());
  CHECK(names_in(dir.path()) == std::vector<std::string>{kCorpusFile, "notes.txt"});
}

}  // namespace
}  // namespace elmo

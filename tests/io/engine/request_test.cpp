#include "io/engine/request.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

TEST_CASE("A rule is broken by an option that was given without its condition") {
  const std::vector<OptionRule> rules{{"--gamma", false, "--layers mix"}};
  CHECK_NOTHROW(check_rules({"--layers"}, rules));
  CHECK_NOTHROW(check_rules({"--gamma"}, {{"--gamma", true, "--layers mix"}}));
  CHECK_THROWS_WITH_AS(check_rules({"--gamma"}, rules),
                       "--gamma makes sense only with --layers mix", RequestError);
}

TEST_CASE("A conflict needs both options") {
  const OptionConflict conflicts[] = {{"--sample", "--pool", "they differ"}};
  CHECK_NOTHROW(check_conflicts({"--sample"}, conflicts));
  CHECK_THROWS_WITH_AS(check_conflicts({"--pool", "--sample"}, conflicts),
                       "--sample with --pool: they differ", RequestError);
}

TEST_CASE("Options of jsonl are refused with other formats") {
  InputOptions input;
  input.format = InputFormat::tokens;
  CHECK_THROWS_AS(check_input_flags({"--text-field"}, input), RequestError);
  input.format = InputFormat::jsonl;
  CHECK_NOTHROW(check_input_flags({"--text-field", "--lines"}, input));
}

TEST_CASE("A run that is there is refused unless it is resumed or replaced") {
  CHECK(run_mode(false, false) == RunMode::create);
  CHECK(run_mode(true, false) == RunMode::resume);
  CHECK(run_mode(false, true) == RunMode::overwrite);
}

TEST_CASE("A file that is read cannot be the output, under any name") {
  const TempDir dir;
  const std::string file = (dir / "file").string();
  std::ofstream(file) << "text";
  CHECK_NOTHROW(require_other_file(Setting::output, (dir / "other").string(), {file, ""}));
  CHECK_THROWS_AS(require_other_file(Setting::output, (dir / "." / "file").string(), {file}),
                  RequestError);
  CHECK_THROWS_AS(require_other_folder(dir.path().string(), dir / "."), RequestError);
}

TEST_CASE("A path that does not exist can lie in a folder") {
  const TempDir dir;
  CHECK(lies_in(dir / "missing" / "file", dir.path()));
  CHECK(!lies_in(dir.path().parent_path() / "file", dir.path()));
  CHECK(!lies_in(dir / "file", dir / "missing"));
}

}  // namespace
}  // namespace elmo

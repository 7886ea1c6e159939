#include "cli/common/process.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "io/model/weights.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/models.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

TEST_CASE("a model file that is truncated while it is read ends the process with a message") {
  const TempDir dir;
  const auto path = dir / "a\033[31m\nü.hdf5";
  write_weights(path, random_parameters(small_options(), 1));
  ModelOptions options = small_options();
  std::vector<std::string> remarks;
  const StoredParameters parameters = read_weights(path, path.string(), options, remarks);
  std::filesystem::resize_file(path, 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const int messages = ::open((dir / "messages").c_str(), O_CREAT | O_WRONLY, 0600);
    ::dup2(messages, STDERR_FILENO);
    prepare_process();
    require_finite(path.string(), parameters);
    ::_exit(EXIT_SUCCESS);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == kFailure);
  const std::string shown = (dir / R"(a\x1b[31m\x0a\xc3\xbc.hdf5)").string();
  CHECK(content_of(dir / "messages").starts_with("elmo: " + shown + " became shorter"));
}

}  // namespace

}  // namespace elmo

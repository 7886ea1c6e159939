#include "io/files/lock.h"

#include <doctest/doctest.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <string>

#include "core/error.h"
#include "io/files/paths.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/files/system_calls.h"
#include "tests/io/fixtures/child.h"

namespace elmo {
namespace {

TEST_CASE("one run at a time writes into a folder") {
  const TempDir dir;
  {
    const FolderLock lock(dir.path());
    CHECK(lock.warning().empty());
    CHECK_THROWS_WITH_AS(FolderLock(dir.path()), doctest::Contains("another run is writing into"),
                         SystemError);
    CHECK(WEXITSTATUS(in_child([&] { const FolderLock second(dir.path()); })) == 1);
  }
  CHECK(names_in(dir.path()).empty());
  const FolderLock again(dir.path());
}

TEST_CASE("a link planted in place of the lock file is removed, not followed") {
  const TempDir dir;
  std::filesystem::create_symlink("elsewhere", dir / kFolderLockFile);
  {
    const FolderLock lock(dir.path());
    CHECK_THROWS_AS(FolderLock(dir.path()), SystemError);
  }
  CHECK(names_in(dir.path()).empty());
}

TEST_CASE("a killed run locks nothing") {
  const TempDir dir;
  const int status = in_child([&] {
    const FolderLock lock(dir.path());
    std::raise(SIGKILL);
  });
  CHECK(WIFSIGNALED(status));
  CHECK(names_in(dir.path()) == std::vector<std::string>{kFolderLockFile});
  const FolderLock lock(dir.path());
}

TEST_CASE("where the file system knows no locks a run continues with a warning") {
  const TempDir dir;
  for (const int error : {ENOLCK, ENOSYS, EOPNOTSUPP, 524}) {
    const AnsweredCalls answered({.flock = error});
    const FolderLock lock(dir.path());
    CHECK(lock.warning().find(dir.path().string()) != std::string::npos);
    const FolderLock second(dir.path());
  }
  const AnsweredCalls answered({.flock = EIO});
  CHECK_THROWS_WITH_AS(FolderLock(dir.path()), doctest::Contains("cannot lock"), SystemError);
}

TEST_CASE("a folder that cannot be written into is the system's failure") {
  const TempDir dir;
  CHECK_THROWS_AS(FolderLock(dir / "missing"), SystemError);
}

TEST_CASE("what a network file system keeps of removed files is not there") {
  const TempDir dir;
  std::ofstream(dir / ".nfs000000000123") << "removed, but open elsewhere";
  CHECK(names_in(dir.path()).empty());
  std::ofstream(dir / "b");
  std::ofstream(dir / "a");
  CHECK(names_in(dir.path()) == std::vector<std::string>{"a", "b"});
  CHECK(names_in(dir / "missing").empty());
}

}  // namespace
}  // namespace elmo

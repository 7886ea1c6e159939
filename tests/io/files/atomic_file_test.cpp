#include "io/files/atomic_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/files/checksum.h"
#include "io/files/descriptor.h"
#include "io/files/mapped_file.h"
#include "io/files/paths.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/files/system_calls.h"
#include "tests/io/fixtures/child.h"

namespace elmo {
namespace {

TEST_CASE("one run at a time writes into a folder") {
  const TempDir dir;
  {
    const OutputFolder lock(dir.path());
    CHECK(lock.warning().empty());
    CHECK_THROWS_WITH_AS(OutputFolder(dir.path()), doctest::Contains("another run is writing into"),
                         SystemError);
    CHECK(WEXITSTATUS(in_child([&] { const OutputFolder second(dir.path()); })) == 1);
  }
  CHECK(names_in(dir.path()).empty());
  const OutputFolder again(dir.path());
}

TEST_CASE("a link planted as the lock file is removed, not followed") {
  const TempDir dir;
  std::filesystem::create_symlink("elsewhere", dir / kFolderLockFile);
  {
    const OutputFolder lock(dir.path());
    CHECK_THROWS_AS(OutputFolder(dir.path()), SystemError);
  }
  CHECK(names_in(dir.path()).empty());
}

TEST_CASE("a killed run locks nothing") {
  const TempDir dir;
  const int status = in_child([&] {
    const OutputFolder lock(dir.path());
    std::raise(SIGKILL);
  });
  CHECK(WIFSIGNALED(status));
  CHECK(names_in(dir.path()) == std::vector<std::string>{kFolderLockFile});
  const OutputFolder lock(dir.path());
}

TEST_CASE("on a file system without locks, a run continues with a warning") {
  const TempDir dir;
  for (const int error : {ENOLCK, ENOSYS, EOPNOTSUPP, 524}) {
    const AnsweredCalls answered({.flock = error});
    const OutputFolder lock(dir.path());
    CHECK(lock.warning().find(dir.path().string()) != std::string::npos);
    const OutputFolder second(dir.path());
  }
  const AnsweredCalls answered({.flock = EIO});
  CHECK_THROWS_WITH_AS(OutputFolder(dir.path()), doctest::Contains("cannot lock"), SystemError);
}

TEST_CASE("a folder is made with its parents, which are removed again if nothing was written") {
  const TempDir dir;
  const std::filesystem::path folder = dir / "a" / "b" / "c" / "";
  {
    const OutputFolder unused(folder);
    CHECK(is_folder(folder));
  }
  CHECK(names_in(dir.path()).empty());
  std::filesystem::create_directory(dir / "a");
  { const OutputFolder unused(folder); }
  CHECK(names_in(dir.path()) == std::vector<std::string>{"a"});
  CHECK(names_in(dir / "a").empty());
  {
    const OutputFolder used(folder);
    std::ofstream(folder / "file") << "x";
  }
  CHECK(names_in(folder) == std::vector<std::string>{"file"});
  CHECK_THROWS_AS(OutputFolder(folder / "file"), RequestError);
  CHECK_THROWS_AS(OutputFolder("/proc/missing"), SystemError);
}

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

TEST_CASE("a file gets its name when it is complete") {
  const TempDir dir;
  const std::string large(std::size_t{3} << 20, 'x');
  AtomicFile file(dir / "out");
  file.append("head ");
  file.append(large);
  file.append(" tail");
  CHECK(names_in(dir.path()) == Names{"out.unfinished"});
  file.replace_beginning(std::as_bytes(std::span<const char>("HEAD", 4)));
  file.append(".");
  std::vector<FileStep> steps;
  file.publish([&](FileStep step) { steps.push_back(step); });
  CHECK(steps == std::vector{FileStep::synced, FileStep::renamed, FileStep::folder_synced});
  CHECK(names_in(dir.path()) == Names{"out"});
  CHECK(content_of(dir / "out") == "HEAD " + large + " tail.");
}

TEST_CASE("content that others wrote to the unfinished file is published") {
  const TempDir dir;
  AtomicFile file(dir / "out");
  std::ofstream(file.temporary_path(), std::ios::trunc) << "theirs";
  file.publish();
  CHECK(content_of(dir / "out") == "theirs");
}

TEST_CASE("a file that already has its content is not rewritten") {
  const TempDir dir;
  const auto number_of_file = [&] {
    struct stat status {};
    REQUIRE(::stat((dir / "out").c_str(), &status) == 0);
    return status.st_ino;
  };
  replace_file(dir / "out", "old");
  const auto number = number_of_file();
  replace_file(dir / "out", "old");
  CHECK(number_of_file() == number);
  for (const char* text : {"new", "ne", "new and longer", ""}) {
    replace_file(dir / "out", text);
    CHECK(content_of(dir / "out") == text);
  }
}

TEST_CASE("an unpublished file is abandoned, and the existing one stays") {
  const TempDir dir;
  replace_file(dir / "out", "old");
  {
    AtomicFile file(dir / "out");
    file.append("new");
    const AtomicFile moved(std::move(file));
    CHECK(names_in(dir.path()) == Names{"out", "out.unfinished"});
  }
  CHECK(names_in(dir.path()) == Names{"out"});
  CHECK(content_of(dir / "out") == "old");
  AtomicFile kept(dir / "out");
  kept.keep();
  CHECK(names_in(dir.path()) == Names{"out", "out.unfinished"});
}

TEST_CASE(
    "a writer killed at any step leaves the old file or the new one, and the next writer "
    "continues") {
  const TempDir dir;
  for (const FileStep killed_at : {FileStep::synced, FileStep::renamed, FileStep::folder_synced}) {
    replace_file(dir / "out", "old");
    const int status = in_child([&] {
      AtomicFile file(dir / "out");
      file.append("new");
      file.publish([&](FileStep step) {
        if (step == killed_at) std::raise(SIGKILL);
      });
    });
    CHECK(WIFSIGNALED(status));
    CHECK(content_of(dir / "out") == (killed_at == FileStep::synced ? "old" : "new"));
    replace_file(dir / "out", "newest");
    CHECK(content_of(dir / "out") == "newest");
    CHECK(names_in(dir.path()) == Names{"out"});
  }
}

TEST_CASE("no two writers write the same file") {
  const TempDir dir;
  AtomicFile first(dir / "out");
  first.append("first");
  CHECK_THROWS_WITH_AS(AtomicFile(dir / "out"), doctest::Contains("another run is writing"),
                       SystemError);
  first.publish();
  CHECK(content_of(dir / "out") == "first");
  replace_file(dir / "out", "second");
  CHECK(content_of(dir / "out") == "second");
}

TEST_CASE("on a file system without locks, names contain host and process") {
  for (const int error : {ENOLCK, ENOSYS, EOPNOTSUPP, 524}) {
    CAPTURE(error);
    const TempDir dir;
    const AnsweredCalls answered({.flock = error});
    AtomicFile file(dir / "out");
    CHECK(file.warning().find(file.path().string() + " has no locks") != std::string::npos);
    const std::string name = file.temporary_path().filename().string();
    CHECK(names_in(dir.path()) == Names{name});
    CHECK(name != "out.unfinished");
    CHECK(name.ends_with(std::to_string(::getpid()) + kUnfinished));
    CHECK(finished_name(name) == "out");
    file.append("whole");
    file.publish();
    CHECK(names_in(dir.path()) == Names{"out"});
    CHECK(content_of(dir / "out") == "whole");
  }
  const TempDir dir;
  const AnsweredCalls answered({.flock = EIO});
  CHECK_THROWS_WITH_AS(AtomicFile(dir / "out"), doctest::Contains("cannot lock"), SystemError);
}

TEST_CASE("names of finished and unfinished files are distinguished") {
  CHECK(finished_name("a.h5.unfinished") == "a.h5");
  CHECK(finished_name("a.h5@node-1-77.unfinished") == "a.h5");
  CHECK_FALSE(finished_name("a.h5"));
  CHECK_FALSE(finished_name("unfinished"));
}

TEST_CASE("publishing succeeds if folders cannot be synced or a rename loses its reply") {
  const TempDir dir;
  for (const int error : {EINVAL, ENOTSUP, ENOSYS}) {
    const AnsweredCalls answered({.fsync_of_folder = error});
    replace_file(dir / "out", std::to_string(error));
    CHECK(content_of(dir / "out") == std::to_string(error));
  }
  {
    const AnsweredCalls answered({.fsync_of_folder = EIO});
    CHECK_THROWS_WITH_AS(replace_file(dir / "out", ""), doctest::Contains("cannot sync"),
                         SystemError);
  }
  {
    const AnsweredCalls answered({.rename_afterwards = ENOENT});
    replace_file(dir / "out", "renamed");
    CHECK(content_of(dir / "out") == "renamed");
  }
  const AnsweredCalls answered({.rename_afterwards = EIO});
  CHECK_THROWS_WITH_AS(replace_file(dir / "out", ""), doctest::Contains("cannot rename"),
                       SystemError);
}

TEST_CASE("output to a symbolic link goes where it leads") {
  const TempDir dir;
  fs::create_directories(dir / "links");
  fs::create_directories(dir / "files");
  fs::create_symlink("../files/out", dir / "links" / "relative");
  fs::create_symlink(dir / "links" / "relative", dir / "links" / "absolute");
  for (const char* text : {"made", "replaced"}) {  // at first, the link dangles
    replace_file(dir / "links" / "absolute", text);
    CHECK(fs::is_symlink(dir / "links" / "absolute"));
    CHECK(fs::is_symlink(dir / "links" / "relative"));
    CHECK(content_of(dir / "files" / "out") == text);
  }
  CHECK(names_in(dir / "links") == Names{"absolute", "relative"});
  fs::create_symlink("loop", dir / "loop");
  CHECK_THROWS_AS(AtomicFile(dir / "loop"), SystemError);
}

TEST_CASE("links planted under the unfinished name are removed, not followed") {
  for (const int lock_error : {0, ENOLCK}) {
    CAPTURE(lock_error);
    const AnsweredCalls answered({.flock = lock_error});
    const TempDir dir;
    std::ofstream(dir / "precious") << "kept";
    std::string unfinished;
    {
      const AtomicFile file(dir / "out");
      unfinished = file.temporary_path().string();
    }
    fs::create_symlink("precious", unfinished);
    replace_file(dir / "out", "first");
    CHECK(content_of(dir / "precious") == "kept");
    CHECK_FALSE(fs::is_symlink(dir / "out"));
    fs::create_hard_link(dir / "precious", unfinished);
    replace_file(dir / "out", "second");
    CHECK(content_of(dir / "precious") == "kept");
    CHECK(content_of(dir / "out") == "second");
    fs::create_symlink("missing", unfinished);
    replace_file(dir / "out", "third");
    CHECK(names_in(dir.path()) == Names{"out", "precious"});
  }
}

TEST_CASE("a missing folder is named") {
  const TempDir dir;
  std::ofstream(dir / "file") << "text";
  const auto refusal = [&](const char* folder, const char* fault) {
    const std::string path = (dir / folder).string();
    return "cannot write " + path + "/a.txt: " + path + fault + "; expected a folder";
  };
  CHECK_THROWS_WITH_AS(AtomicFile(dir / "none" / "a.txt"), refusal("none", " is missing").c_str(),
                       SystemError);
  CHECK_THROWS_WITH_AS(AtomicFile(dir / "file" / "a.txt"),
                       refusal("file", " is not a folder").c_str(), SystemError);
}

TEST_CASE("anything but a regular file is not replaced") {
  const TempDir dir;
  REQUIRE(::mkfifo((dir / "pipe").c_str(), 0600) == 0);
  fs::create_symlink("/dev/null", dir / "device");
  fs::create_directory(dir / "folder");
  for (const auto& [name, kind] :
       {std::pair{"pipe", "a named pipe"}, std::pair{"device", "a device"},
        std::pair{"folder", "a folder"}}) {
    CHECK_THROWS_WITH_AS(AtomicFile(dir / name), doctest::Contains(kind), RequestError);
  }
  CHECK(names_in(dir.path()) == Names{"device", "folder", "pipe"});
}

TEST_CASE("a full disk is reported and keeps the old file") {
  const TempDir dir;
  replace_file(dir / "out", "old");
  // A limit on file sizes simulates a full disk.
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  CHECK_THROWS_WITH_AS(replace_file(dir / "out", std::string(5000, 'x')),
                       doctest::Contains("File too large"), SystemError);
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK(names_in(dir.path()) == Names{"out"});
  CHECK(content_of(dir / "out") == "old");
  CHECK_THROWS_AS(AtomicFile(dir / "missing" / "out"), SystemError);
}

TEST_CASE("an existing run is refused unless it is resumed or replaced") {
  CHECK(run_mode(false, false) == RunMode::create);
  CHECK(run_mode(true, false) == RunMode::resume);
  CHECK(run_mode(false, true) == RunMode::overwrite);
}

}  // namespace

}  // namespace elmo

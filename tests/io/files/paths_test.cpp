#include "io/files/paths.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

#include "core/error.h"
#include "io/files/descriptor.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

TEST_CASE("removed files that a network file system keeps are not listed") {
  const TempDir dir;
  std::ofstream(dir / ".nfs000000000123") << "removed, but open elsewhere";
  CHECK(names_in(dir.path()).empty());
  std::ofstream(dir / "b");
  std::ofstream(dir / "a");
  CHECK(names_in(dir.path()) == std::vector<std::string>{"a", "b"});
  CHECK(names_in(dir / "missing").empty());
  CHECK(names_in(dir / "a").empty());
}

TEST_CASE("a path that the system refuses to examine does not count as missing") {
  const TempDir dir;
  CHECK_FALSE(is_there(dir / "missing"));
  CHECK_FALSE(is_there(dir / std::string(300, 'x')));
  std::filesystem::create_symlink("loop", dir / "loop");
  CHECK_THROWS_AS(is_there(dir / "loop"), SystemError);
  CHECK_THROWS_AS(is_file(dir / "loop"), SystemError);
  CHECK_THROWS_AS(read_file_if_there(dir / "loop"), SystemError);
}

TEST_CASE("folders are made with their parents, and removed only if empty") {
  const TempDir dir;
  make_folder(dir / "a" / "b");
  CHECK(is_folder(dir / "a" / "b"));
  CHECK_NOTHROW(make_folder(dir / "a" / "b"));
  std::ofstream(dir / "file") << "x";
  CHECK_THROWS_WITH_AS(make_folder(dir / "file"),
                       doctest::Contains("file is a file; expected a folder, or a new name"),
                       RequestError);
  std::filesystem::create_symlink("nothing", dir / "link");
  for (const char* name : {"link", "link/run"}) {
    CHECK_THROWS_WITH_AS(make_folder(dir / name),
                         doctest::Contains("link is a link to nothing, which is missing"),
                         RequestError);
  }
  std::ofstream(dir / "a" / "file") << "1";
  rename_path(dir / "a" / "file", dir / "a" / "b" / "file");
  CHECK(is_file(dir / "a" / "b" / "file"));
  CHECK_THROWS_WITH_AS(rename_path(dir / "none", dir / "b"), doctest::Contains("none"),
                       SystemError);
  CHECK_THROWS_AS(remove_path(dir / "a"), SystemError);  // not empty
  remove_if_empty(dir / "a");
  CHECK(is_file(dir / "a" / "b" / "file"));
  remove_path(dir / "a" / "b" / "file");
  remove_if_empty(dir / "a" / "b");
  remove_if_empty(dir / "a");
  CHECK_FALSE(is_there(dir / "a"));
  CHECK_NOTHROW(remove_path(dir / "a"));
}

TEST_CASE("numbers in file names have leading zeros") {
  CHECK(padded(0, 5) == "00000");
  CHECK(padded(42, 5) == "00042");
  CHECK(padded(123456, 5) == "123456");
}

TEST_CASE("an input file cannot be the output, under any name") {
  const TempDir dir;
  const std::string file = (dir / "file").string();
  std::ofstream(file) << "text";
  CHECK_NOTHROW(require_other_file(Setting{"output"}, (dir / "other").string(), {file, ""}));
  CHECK_THROWS_AS(require_other_file(Setting{"output"}, (dir / "." / "file").string(), {file}),
                  RequestError);
  CHECK_THROWS_AS(require_other_folder(dir.path().string(), dir / "."), RequestError);
}

TEST_CASE("a path that does not exist can lie in a folder") {
  const TempDir dir;
  CHECK(lies_in(dir / "missing" / "file", dir.path()));
  CHECK(!lies_in(dir.path().parent_path() / "file", dir.path()));
  CHECK(!lies_in(dir / "file", dir / "missing"));
}

}  // namespace
}  // namespace elmo

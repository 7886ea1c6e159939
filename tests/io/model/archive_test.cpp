#include "io/model/archive.h"

#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/fixtures/zip.h"

namespace elmo {
namespace {

TEST_CASE("the members of an archive are listed and read by name") {
  const TempDir dir;
  write_zip(dir / "a.zip", {{"x/one", "1"}, {"two", "22"}});
  CHECK(is_zip(dir / "a.zip"));
  CHECK(zip_members(dir / "a.zip") == std::vector<std::string>{"two", "x/one"});
  CHECK(read_zip_member(dir / "a.zip", "x/one", 1) == "1");
  CHECK_THROWS_WITH_AS(read_zip_member(dir / "a.zip", "two", 1),
                       doctest::Contains("two is too large; expected at most 1 bytes"), InputError);
  CHECK_THROWS_WITH_AS(read_zip_member(dir / "a.zip", "three", 9),
                       doctest::Contains("three is missing"), InputError);
  std::map<std::string, std::string> taken;
  read_zip_members(
      dir / "a.zip",
      [](const std::string& member) {
        return member == "two" ? std::optional<std::uint64_t>(2) : std::nullopt;
      },
      [&](const std::string& member, std::string content) { taken[member] = content; });
  CHECK(taken == std::map<std::string, std::string>{{"two", "22"}});
}

TEST_CASE("a file that is not an archive is refused") {
  const TempDir dir;
  write_file(dir / "text", "PK, but no archive");
  CHECK_FALSE(is_zip(dir / "text"));
  CHECK_THROWS_WITH_AS(zip_members(dir / "text"), doctest::Contains("text: "), InputError);
}

TEST_CASE("an unpacked member exists as long as its object") {
  const TempDir dir;
  write_zip(dir / "a.zip", {{"one", "1"}});
  std::filesystem::path path;
  {
    const LocalModelFile member(ModelFile("one", dir / "a.zip"), 10);
    path = member.path();
    CHECK(content_of(path) == "1");
  }
  CHECK_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace elmo

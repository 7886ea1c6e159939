#include "io/files/mapped_file.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

std::string_view text_of(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

TEST_CASE("a mapped file keeps its bytes when another file takes its name") {
  const TempDir dir;
  write_file(dir / "file", "before");
  MappedFile mapped(dir / "file");
  write_file(dir / "other", "after!");
  std::filesystem::rename(dir / "other", dir / "file");
  CHECK(text_of(mapped) == "before");
  const MappedFile moved = std::move(mapped);
  CHECK(text_of(moved) == "before");
  mapped = MappedFile(dir / "file");
  CHECK(text_of(mapped) == "after!");
  mapped.forget(mapped.bytes());
  CHECK(text_of(mapped) == "after!");
}

TEST_CASE("the path of a mapped file is found by address") {
  const TempDir dir;
  write_file(dir / "file", std::string(10'000, 'x'));
  const std::byte* address = nullptr;
  {
    const MappedFile mapped(dir / "file");
    address = mapped.bytes().data() + 9'999;
    REQUIRE(mapped_path_at(address) != nullptr);
    CHECK((dir / "file").string() == mapped_path_at(address));
    CHECK(mapped_path_at(&mapped) == nullptr);
  }
  CHECK(mapped_path_at(address) == nullptr);
}

TEST_CASE("an empty file maps to nothing, and a missing one is an error") {
  const TempDir dir;
  write_file(dir / "empty", "");
  CHECK(MappedFile(dir / "empty").bytes().empty());
  CHECK_THROWS_WITH_AS(MappedFile(dir / "missing"), doctest::Contains("missing"), SystemError);
}

}  // namespace
}  // namespace elmo

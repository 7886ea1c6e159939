#include "io/files/checksum.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <span>
#include <string>

#include "core/error.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

TEST_CASE("a checksum equals xxh128sum's, for any pieces") {
  CHECK(Checksum().hex() == "99aa06d3014798d86001c324468d497f");
  Checksum whole;
  whole.add("ELMo reads characters");
  Checksum pieces;
  pieces.add("ELMo ");
  pieces.add("");
  pieces.add("reads characters");
  CHECK(pieces.hex() == whole.hex());
  CHECK(text_checksum("ELMo reads characters") == whole.hex());
  pieces.add("!");
  CHECK(pieces.hex() != whole.hex());
}

TEST_CASE("a file's checksum is that of its bytes") {
  const TempDir dir;
  const std::string content(3'000'000, 'x');
  write_file(dir / "file", content);
  Checksum checksum;
  checksum.add(content);
  CHECK(file_checksum(dir / "file") == checksum.hex());
  write_file(dir / "empty", "");
  CHECK(file_checksum(dir / "empty") == Checksum().hex());
  CHECK_THROWS_AS(file_checksum(dir / "missing"), SystemError);
}

}  // namespace
}  // namespace elmo

#include "io/foreign_content.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/files/descriptor.h"
#include "io/h5/reader.h"
#include "io/json/json_document.h"
#include "io/model/location.h"
#include "io/model/vocabulary.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

using namespace std::string_view_literals;

const std::vector<std::pair<std::string_view, std::string>> kForeign = {
    {"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n"sv,
     "is a Git LFS pointer (get the file itself with `git lfs pull`)"},
    {"\xef\xbb\xbf\n<!DOCTYPE HTML>\n<html>"sv, "is an HTML page"},
    {"  <HTML lang=en>"sv, "is an HTML page"},
    {"<?xml version='1.0'?><Error/>"sv, "is an XML document"},
    {"\x1f\x8b\x08\0\0"sv, "is a gzip stream (unpack it with `gunzip`)"},
    {"BZh91AY&SY\0"sv, "is a bzip2 stream"},
    {"\xfd\x37\x7a\x58\x5a\0\0"sv, "is an xz stream"},
    {"\x28\xb5\x2f\xfd\0"sv, "is a zstd stream"},
    {"\x80\2}q\0."sv, "is a Python pickle"},
    {"\x10\0\0\0\0\0\0\0{\"a\": {}}"sv, "is a file of safetensors"}};

TEST_CASE("files that are not models are described wherever a model file is expected") {
  const TempDir dir;
  const auto path = dir / "file";
  for (const auto& [content, name] : kForeign) {
    CAPTURE(name);
    write_file(path, std::string(content));
    const std::string expected = path.string() + " " + name;
    CHECK_THROWS_WITH_AS(h5::Reader{path}, doctest::Contains(expected.c_str()), InputError);
    CHECK_THROWS_WITH_AS(JsonDocument(content, path.string(), "options"),
                         doctest::Contains(expected.c_str()), InputError);
    CHECK_THROWS_WITH_AS(parse_vocabulary(content, path.string()),
                         doctest::Contains(expected.c_str()), InputError);
    CHECK_THROWS_WITH_AS(locate_model(path), doctest::Contains(expected.c_str()), InputError);
  }
}

TEST_CASE("other contents have no description") {
  for (const std::string_view content :
       {""sv, "{\"a\": 1}"sv, "<S>\n</S>\n"sv, "BZhang"sv, "version 1"sv, "\x80"sv, "<htm"sv}) {
    CHECK(foreign_content(content).empty());
  }
}

TEST_CASE("a URL is not downloaded, and the message says so") {
  for (const char* url : {"https://example.org/model.zip", "s3://bucket/model"}) {
    CHECK_THROWS_WITH_AS(locate_model(url), doctest::Contains("nothing is downloaded"), InputError);
    CHECK_THROWS_WITH_AS(open_regular_file(url), doctest::Contains("nothing is downloaded"),
                         SystemError);
  }
  CHECK_THROWS_WITH_AS(open_regular_file("missing/a://b"),
                       "cannot open missing/a://b: No such file or directory", SystemError);
}

}  // namespace
}  // namespace elmo

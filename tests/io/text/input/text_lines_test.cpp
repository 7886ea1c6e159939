#include "io/text/input/text_lines.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

#include "core/error.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

std::vector<std::string> words_of(const std::string& words) {
  std::vector<std::string> found;
  for_each_word(words, [&](std::string_view word) { found.emplace_back(word); });
  return found;
}

TEST_CASE("a word list has one word per line, or commas") {
  const TempDir dir;
  const auto write = [&](const std::string& text) {
    std::ofstream(dir / "list", std::ios::binary) << text;
    return (dir / "list").string();
  };
  CHECK(words_of(write("\xef\xbb\xbf"
                       "bank\r\n\n  New York \nlast")) ==
        std::vector<std::string>{"bank", "New York", "last"});
  CHECK(words_of(write("b\xffnk\n")) == std::vector<std::string>{"b\xef\xbf\xbdnk"});
  CHECK_THROWS_AS(words_of(write(" \n\n")), InputError);
  CHECK(words_of("bank, New York") == std::vector<std::string>{"bank", "New York"});
  CHECK_THROWS_AS(words_of("bank,,play"), RequestError);
}

TEST_CASE("for_each_line: an error names file and line") {
  const TempDir dir;
  const std::string file = (dir / "list").string();
  std::ofstream(file) << "\none\n \ntwo\n";
  std::string read;
  for_each_line(file, [&](std::string_view line, std::uint64_t number) {
    read += std::to_string(number) + std::string(line) + ';';
  });
  CHECK(read == "2one;4two;");
  const auto refuse = [](std::string_view line, std::uint64_t) {
    if (line == "two") throw InputError("found two; expected one");
  };
  CHECK_THROWS_WITH_AS(for_each_line(file, refuse),
                       (file + ": line 4: found two; expected one").c_str(), InputError);
  CHECK_THROWS_AS(for_each_line((dir / "none").string(), refuse), InputError);
}

}  // namespace
}  // namespace elmo

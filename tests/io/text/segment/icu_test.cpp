// The Unicode Consortium's break tests, in the form that ICU ships, run on the iterators of
// production code.
#include "io/text/segment/icu.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/io/fixtures/published.h"

namespace elmo {
namespace {

using Positions = std::vector<std::size_t>;

struct BreakTest {
  std::string written;  // "÷ 0061 × 0308 ÷"
  std::string text;
  Positions boundaries;  // in bytes, except the beginning
};

std::string encode(unsigned code_point) {
  const auto byte = [](unsigned value) { return static_cast<char>(value); };
  if (code_point < 0x80) return {byte(code_point)};
  if (code_point < 0x800) return {byte(0xc0 | code_point >> 6), byte(0x80 | (code_point & 0x3f))};
  if (code_point < 0x10000) {
    return {byte(0xe0 | code_point >> 12), byte(0x80 | (code_point >> 6 & 0x3f)),
            byte(0x80 | (code_point & 0x3f))};
  }
  return {byte(0xf0 | code_point >> 18), byte(0x80 | (code_point >> 12 & 0x3f)),
          byte(0x80 | (code_point >> 6 & 0x3f)), byte(0x80 | (code_point & 0x3f))};
}

std::vector<BreakTest> read_break_tests(const std::string& name) {
  const auto data = reference_data();
  if (!data) return {};
  std::ifstream file(*data / "data" / "segmentation" / name);
  REQUIRE(file.good());
  std::vector<BreakTest> tests;
  for (std::string line; std::getline(file, line);) {
    BreakTest test;
    test.written = line.substr(0, line.find('#'));
    std::istringstream items(test.written);
    for (std::string item; items >> item;) {
      if (item == "\u00f7") {
        if (!test.text.empty()) test.boundaries.push_back(test.text.size());
      } else if (item != "\u00d7") {
        test.text += encode(static_cast<unsigned>(std::stoul(item, nullptr, 16)));
      }
    }
    if (!test.text.empty()) tests.push_back(std::move(test));
  }
  return tests;
}

/// Returns all boundaries that `boundaries` finds in a text.
Positions boundaries_of(Boundaries& boundaries, const std::string& text) {
  boundaries.set_text(text);
  Positions found;
  for (std::size_t next = boundaries.next(); next != Boundaries::npos; next = boundaries.next()) {
    found.push_back(next);
  }
  return found;
}

}  // namespace

TEST_CASE("word boundaries pass the Unicode Consortium's word break test") {
  const std::vector<BreakTest> tests = read_break_tests("WordBreakTest.txt");
  Boundaries root(BoundaryKind::word, kRootLocale);
  Boundaries finnish(BoundaryKind::word, "fi");
  std::size_t tailored = 0;
  for (const BreakTest& test : tests) {
    CAPTURE(test.written);
    CHECK(boundaries_of(finnish, test.text) == test.boundaries);
    // Since ICU 72 (CLDR 42) a colon joins letters in Finnish and Swedish only.
    if (boundaries_of(root, test.text) != test.boundaries) {
      ++tailored;
      CHECK((test.text.starts_with("a:") || test.text.starts_with("A:")));
    }
  }
  if (!reference_data()) return;
  CHECK(tests.size() > 1000);
  CHECK(tailored <= 15);
}

TEST_CASE("sentence boundaries pass the Unicode Consortium's sentence break test") {
  const std::vector<BreakTest> tests = read_break_tests("SentenceBreakTest.txt");
  Boundaries sentences(BoundaryKind::sentence, kRootLocale);
  for (const BreakTest& test : tests) {
    CAPTURE(test.written);
    CHECK(boundaries_of(sentences, test.text) == test.boundaries);
  }
  if (reference_data()) CHECK(tests.size() > 400);
}

}  // namespace elmo

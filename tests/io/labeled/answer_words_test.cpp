// Normalized answers: expected is what evaluate-v1.1.py makes of the same texts.
#include "io/labeled/answer_words.h"

#include <doctest/doctest.h>

namespace elmo {
namespace {

std::string normalized(std::string_view answer) {
  std::string joined;
  for (const std::string& word : answer_words(answer)) {
    if (!joined.empty()) joined += ' ';
    joined += word;
  }
  return joined;
}

}  // namespace

TEST_CASE("answers are normalized as SQuAD's scorer does") {
  const std::pair<const char*, const char*> cases[] = {
      {"The  Cat's an_a  the.", "cats ana"},
      {"A", ""},
      {"the, THE", ""},
      {"Theatre at an ant", "theatre at ant"},
      {"a-b", "ab"},
      {"x·a·y", "x· ·y"},
      {"·a", "·"},
      {"a\u0301 b", "\u0301 b"},
      {"á theé", "á theé"},
      {"\u3000the\u2009end\x1f"
       "an\x1c",
       "end"},
      {"“The” end—the", "“ ” end—"},
      {"$5.00 (a lot)", "500 lot"},
      {"한국어 a 문장", "한국어 문장"},
      {"I\u0307STANBUL İ", "i\u0307stanbul i\u0307"},
      {"ΟΔΟΣ the Σ", "οδος σ"},
      {"😀 the 😀a", "😀 😀"},
      {"the² aⅧ", "the² aⅷ"},
      {"a\u200bthe", "\u200b"},
      {"an\u00a0apple", "apple"},
      {"", ""},
  };
  for (const auto& [answer, expected] : cases) {
    CAPTURE(answer);
    CHECK(normalized(answer) == expected);
  }
}

}  // namespace elmo

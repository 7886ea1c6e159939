// Normalized answers: expected is what evaluate-v1.1.py makes of the same texts.
#include "io/labeled/question_context.h"

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

TEST_CASE("agreement counts words as often as both answers have them") {
  const auto agreement = [](const char* predicted, const char* reference) {
    return answer_agreement(answer_words(predicted), answer_words(reference));
  };
  CHECK(agreement("the Broncos", "Broncos.").exact == 1.0);
  CHECK(agreement("the Broncos", "Broncos.").f1 == 1.0);
  // 2 of 3 words, of 4: F1 = 2 · 2/3 · 2/4 / (2/3 + 2/4).
  CHECK(agreement("big big dog", "big dog of mine").exact == 0.0);
  CHECK(agreement("big big dog", "big dog of mine").f1 == doctest::Approx(4.0 / 7.0));
  CHECK(agreement("big big", "big big big").f1 == doctest::Approx(0.8));
  CHECK(agreement("dog big", "big dog").exact == 0.0);
  CHECK(agreement("dog big", "big dog").f1 == 1.0);
  CHECK(agreement("cat", "dog").f1 == 0.0);
  // Nothing in common, though the texts are equal: the official scorer's F1 is 0 then.
  CHECK(agreement("the", "a").exact == 1.0);
  CHECK(agreement("the", "a").f1 == 0.0);
}

}  // namespace elmo

#include "io/provenance.h"

#include <doctest/doctest.h>

#include "core/version.h"

namespace elmo {
namespace {

TEST_CASE("a difference names each component with both values") {
  const Provenance before{{"model", "0123"}, {"precision", "float32"}, {"lanes", "2"}};
  CHECK(provenance_difference(before, before).empty());
  CHECK(provenance_difference(before, {{"lanes", "2"}, {"precision", "bfloat16"}}).text() ==
        "model was 0123 and is absent; precision was float32 and is bfloat16");
  CHECK(provenance_difference({}, {{"seed", "3"}}).text() == "seed was absent and is 3");
}

TEST_CASE("versions with the same results do not differ") {
  const auto difference = [](const char* before, const char* now) {
    return provenance_difference({{kToolVersion, before}}, {{kToolVersion, now}}).text();
  };
  const std::string current(version());
  CHECK(difference("0.8.0", current.c_str()).empty());
  CHECK(difference(current.c_str(), "0.8.0").empty());
  CHECK(difference("0.7.9", current.c_str()) == "tool_version was 0.7.9 and is " + current);
  for (const char* other :
       {"", "0.8", "0.8.0.1", "0.8.0-rc", "0.8.", "999.0.0", "0.8.x", "-1.8.0"}) {
    CHECK_FALSE(difference(other, current.c_str()).empty());
  }
}

TEST_CASE("the revision of rules counts for tokens that rules make") {
  const auto difference = [](const char* before, const char* now) {
    return provenance_difference({{kTokenizer, before}}, {{kTokenizer, now}}).text();
  };
  CHECK(difference("white-space, rules 3", "white-space, rules 2").empty());
  CHECK_FALSE(difference("white-space, rules 3, normalize nfc", "white-space, rules 2").empty());
  CHECK_FALSE(difference("white-space, rules 2", "conllu, rules 2").empty());
  CHECK_FALSE(difference("ud 72.1, Unicode 15.0, locale en, rules 3",
                         "ud 72.1, Unicode 15.0, locale en, rules 2")
                  .empty());
}

}  // namespace
}  // namespace elmo

#include "io/shard/resume.h"

#include <doctest/doctest.h>

#include <cstdint>

namespace elmo {
namespace {

ResumePosition at_sentence(std::uint64_t sentence) {
  ResumePosition position;
  position.sentence = sentence;
  return position;
}

TEST_CASE("the last position before a sentence is found, and those before it are dropped") {
  ResumePositions positions;
  CHECK(!positions.last_before(5));
  for (const std::uint64_t sentence : {3, 10, 20, 30}) positions.add(at_sentence(sentence));
  CHECK(!positions.last_before(2));
  CHECK(positions.last_before(3)->sentence == 3);
  CHECK(positions.last_before(29)->sentence == 20);
  CHECK(positions.size() == 2);
  CHECK(positions.last_before(1'000)->sentence == 30);
  CHECK(positions.last_before(1'001)->sentence == 30);
}

TEST_CASE("however many positions there are, few are kept, and those near the end are dense") {
  constexpr std::uint64_t kCount = 1'000'000;
  ResumePositions positions;
  for (std::uint64_t sentence = 0; sentence < kCount; ++sentence) {
    positions.add(at_sentence(sentence));
    REQUIRE(positions.size() <= ResumePositions::kMax);
  }
  for (const std::uint64_t behind : {900'000U, 100'000U, 10'000U, 600U, 300U, 1U}) {
    CAPTURE(behind);
    const auto found = positions.last_before(kCount - behind);
    REQUIRE(found.has_value());
    CHECK(found->sentence <= kCount - behind);
    CHECK(kCount - behind - found->sentence <= behind / 16);
  }
}

}  // namespace
}  // namespace elmo

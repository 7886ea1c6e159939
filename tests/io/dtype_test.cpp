#include "io/dtype.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace elmo {
namespace {

float rounded(Dtype dtype, float value) {
  round_to_dtype(dtype, 1, {&value, 1}, {&value, 1});
  return value;
}

TEST_CASE("the limit of a format is the smallest magnitude that it cannot represent") {
  for (const auto& [word, dtype] : kDtypes) {
    const float limit = format_of(dtype).limit;
    if (dtype != Dtype::int8) CHECK(std::isinf(rounded(dtype, limit)));
    CHECK(std::isfinite(rounded(dtype, std::nextafter(limit, 0.0F))));
    CHECK(std::isfinite(rounded(dtype, -std::nextafter(limit, 0.0F))));
  }
  CHECK(rounded(Dtype::bfloat16, std::nextafter(format_of(Dtype::bfloat16).limit, 0.0F)) ==
        0x1.FEp127F);
}

TEST_CASE("formats are known by their names") {
  for (const auto& [word, dtype] : kDtypes) CHECK(kDtypes.find(word) == dtype);
  CHECK_FALSE(kDtypes.find("float8").has_value());
}

TEST_CASE("each row is rounded by its own scale, also in place") {
  std::vector<float> values{1.0F, 0.3F, 0.0F, 127.0F, 2.5F, -3.5F};
  round_to_dtype(Dtype::int8, 3, values, values);
  CHECK(values[0] == doctest::Approx(1.0F));
  CHECK(values[1] == doctest::Approx(38.0F / 127.0F));
  CHECK(values == std::vector<float>{values[0], values[1], 0.0F, 127.0F, 2.0F, -4.0F});
}

}  // namespace
}  // namespace elmo

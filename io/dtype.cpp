#include "io/dtype.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/kernels/convert.h"

namespace elmo {
namespace {

/// IEEE 754 binary16 has a sign, 5 bits of exponent (bias 15) and 10 of fraction.
float float16_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  float magnitude = 0;
  if (exponent == 31) {
    magnitude = fraction == 0 ? std::numeric_limits<float>::infinity()
                              : std::numeric_limits<float>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<float>(fraction), -24);
  } else {
    magnitude = std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

}  // namespace

static_assert(std::endian::native == std::endian::little,
              "files are written as numbers lie in memory, little endian");

std::string_view dtype_name(Dtype dtype) { return dtype == Dtype::float32 ? "float32" : "float16"; }

std::size_t dtype_bytes(Dtype dtype) { return dtype == Dtype::float32 ? 4 : 2; }

float dtype_limit(Dtype dtype) {
  // Half way between the largest number and the one that would follow it.
  return dtype == Dtype::float32 ? std::numeric_limits<float>::infinity() : 65520.0F;
}

void round_to_float16(std::span<const float> from, std::span<float> to) {
  std::vector<std::uint16_t> halves(from.size());
  to_float16(from, halves);
  std::transform(halves.begin(), halves.end(), to.begin(), float16_value);
}

std::span<const std::byte> Encoder::encode(std::span<const float> values) {
  if (dtype_ == Dtype::float32) return std::as_bytes(values);
  halves_.resize(values.size());
  to_float16(values, halves_);
  return std::as_bytes(std::span(halves_));
}

}  // namespace elmo

#include "io/dtype.h"

#include <bit>
#include <limits>

#include "core/kernels/convert.h"

namespace elmo {

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
  from_float16(halves, to);
}

std::span<const std::byte> Encoder::encode(std::span<const float> values) {
  if (dtype_ == Dtype::float32) return std::as_bytes(values);
  halves_.resize(values.size());
  to_float16(values, halves_);
  return std::as_bytes(std::span(halves_));
}

}  // namespace elmo

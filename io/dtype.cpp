#include "io/dtype.h"

#include <bit>

#include "core/kernels/convert.h"

namespace elmo {

static_assert(std::endian::native == std::endian::little,
              "files are written as numbers lie in memory, little endian");

std::string_view dtype_name(Dtype dtype) { return dtype == Dtype::float32 ? "float32" : "float16"; }

std::size_t dtype_bytes(Dtype dtype) { return dtype == Dtype::float32 ? 4 : 2; }

std::span<const std::byte> Encoder::encode(std::span<const float> values) {
  if (dtype_ == Dtype::float32) return std::as_bytes(values);
  halves_.resize(values.size());
  to_float16(values, halves_);
  return std::as_bytes(std::span(halves_));
}

}  // namespace elmo

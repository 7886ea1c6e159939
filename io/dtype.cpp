#include "io/dtype.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/kernels/convert.h"

namespace elmo {

static_assert(std::endian::native == std::endian::little,
              "files are written as numbers lie in memory, little endian");

bool is_numpy(Dtype dtype) { return dtype == Dtype::float32 || dtype == Dtype::float16; }

std::size_t dtype_bytes(Dtype dtype) {
  switch (dtype) {
    case Dtype::float32:
      return 4;
    case Dtype::float16:
    case Dtype::bfloat16:
      return 2;
    case Dtype::int8:
      break;
  }
  return 1;
}

float dtype_limit(Dtype dtype) {
  // Halfway between the largest number and the one that would follow it.
  switch (dtype) {
    case Dtype::float16:
      return 65520.0F;
    case Dtype::bfloat16:
      return 0x1.FFp127F;
    case Dtype::int8:
      return 0x1.FFFFFCp127F;  // 127 times a scale that was rounded up is below infinity
    case Dtype::float32:
      break;
  }
  return std::numeric_limits<float>::infinity();
}

void round_to_dtype(Dtype dtype, std::size_t width, std::span<const float> from,
                    std::span<float> to) {
  Encoder encoder(dtype, width);
  const std::span<const std::byte> bytes = encoder.encode(from);
  const auto halves = [&] {
    return std::span(reinterpret_cast<const std::uint16_t*>(bytes.data()), from.size());
  };
  switch (dtype) {
    case Dtype::float32:
      std::copy(from.begin(), from.end(), to.begin());
      return;
    case Dtype::float16:
      return from_float16(halves(), to);
    case Dtype::bfloat16:
      return from_bfloat16(halves(), to);
    case Dtype::int8:
      return from_scaled_int8({reinterpret_cast<const std::int8_t*>(bytes.data()), from.size()},
                              encoder.scales(), width, to);
  }
}

std::span<const std::byte> Encoder::encode(std::span<const float> values) {
  switch (dtype_) {
    case Dtype::float32:
      return std::as_bytes(values);
    case Dtype::float16:
      halves_.resize(values.size());
      to_float16(values, halves_);
      return std::as_bytes(std::span(halves_));
    case Dtype::bfloat16:
      halves_.resize(values.size());
      to_bfloat16(values, halves_);
      return std::as_bytes(std::span(halves_));
    case Dtype::int8:
      break;
  }
  steps_.resize(values.size());
  scales_.resize(values.size() / width_);
  to_scaled_int8(values, width_, steps_, scales_);
  return std::as_bytes(std::span(steps_));
}

}  // namespace elmo

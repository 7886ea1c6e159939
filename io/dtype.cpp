#include "io/dtype.h"

#include <bit>

#include "core/kernels/convert.h"

namespace elmo {

static_assert(std::endian::native == std::endian::little,
              "files are written as numbers lie in memory, little endian");

std::string not_in_numpy(Dtype dtype) {
  const std::string word(kDtypes.word(dtype));
  if (format_of(dtype).npy.empty()) return "NumPy has no " + word;
  return format_of(dtype).has_scales ? "an array cannot hold the scales of " + word : "";
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

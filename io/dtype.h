// Number formats of stored activations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/enum_table.h"

namespace elmo {

/// Each row of int8 values has a scale: see to_scaled_int8.
enum class Dtype { float32, float16, bfloat16, int8 };

inline constexpr auto kDtypes = enum_table<Dtype>({{"float32", Dtype::float32},
                                                   {"float16", Dtype::float16},
                                                   {"bfloat16", Dtype::bfloat16},
                                                   {"int8", Dtype::int8}});

/// True for float32 and float16, which NumPy supports natively.
bool is_numpy(Dtype dtype);

/// Bytes of one value, without its scale.
std::size_t dtype_bytes(Dtype dtype);

/// Returns the smallest magnitude that may read back as infinity: 65520 for float16, whose largest
/// number is 65504; about 3.396e38 for bfloat16 and 3.4028e38 for int8; infinity for float32.
float dtype_limit(Dtype dtype);

/// Rounds numbers, in rows of `width`, to what they read back as when they are stored as `dtype`.
/// `from` holds whole rows, and `to` has the same size; both may be the same memory.
void round_to_dtype(Dtype dtype, std::size_t width, std::span<const float> from,
                    std::span<float> to);

/// Converts rows of numbers to little-endian bytes of one of these formats. Not thread-safe.
class Encoder {
 public:
  /// A row has `width` numbers.
  Encoder(Dtype dtype, std::size_t width) : dtype_(dtype), width_(width) {}

  /// Encodes whole rows. The result is a view of `values` or of the encoder's own memory, valid
  /// until the next call.
  std::span<const std::byte> encode(std::span<const float> values);

  /// The scales of the last encoded rows; empty unless the format is int8.
  std::span<const float> scales() const { return scales_; }

 private:
  Dtype dtype_;
  std::size_t width_;
  std::vector<std::uint16_t> halves_;
  std::vector<std::int8_t> steps_;
  std::vector<float> scales_;
};

}  // namespace elmo

// The number formats that activations are written in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/enum_table.h"

namespace elmo {

/// int8 comes with a scale for each row: see to_scaled_int8.
enum class Dtype { float32, float16, bfloat16, int8 };

inline constexpr auto kDtypes = enum_table<Dtype>({{"float32", Dtype::float32},
                                                   {"float16", Dtype::float16},
                                                   {"bfloat16", Dtype::bfloat16},
                                                   {"int8", Dtype::int8}});

/// Whether NumPy has numbers of this format, which need nothing else.
bool is_numpy(Dtype dtype);

/// Bytes of one value, without scales.
std::size_t dtype_bytes(Dtype dtype);

/// The least magnitude that may be read back as infinity: 65520 for float16, whose largest number
/// is 65504; about 3.396e38 for bfloat16 and 3.4028e38 for int8; infinity for float32.
float dtype_limit(Dtype dtype);

/// Each number as it reads back when it was written so, in rows of `width`. `to` has the size of
/// `from`, which is whole rows; both may be the same.
void round_to_dtype(Dtype dtype, std::size_t width, std::span<const float> from,
                    std::span<float> to);

/// Little-endian bytes of rows of numbers in one of these formats. Not shared between threads.
class Encoder {
 public:
  /// `width` numbers are a row.
  Encoder(Dtype dtype, std::size_t width) : dtype_(dtype), width_(width) {}

  /// Whole rows: a view of `values` or of the encoder's own memory, valid until the next call.
  std::span<const std::byte> encode(std::span<const float> values);

  /// The scales of the rows that were encoded last; empty except int8.
  std::span<const float> scales() const { return scales_; }

 private:
  Dtype dtype_;
  std::size_t width_;
  std::vector<std::uint16_t> halves_;
  std::vector<std::int8_t> steps_;
  std::vector<float> scales_;
};

}  // namespace elmo

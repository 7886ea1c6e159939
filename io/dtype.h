// Number formats of stored activations.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/enum_table.h"
#include "core/inference/activations.h"

namespace elmo {

/// Each row of int8 values has a scale: see to_scaled_int8.
enum class Dtype { float32, float16, bfloat16, int8 };

inline constexpr auto kDtypes = enum_table<Dtype>({{"float32", Dtype::float32},
                                                   {"float16", Dtype::float16},
                                                   {"bfloat16", Dtype::bfloat16},
                                                   {"int8", Dtype::int8}});

/// How files store a dtype.
struct DtypeFormat {
  Dtype dtype;
  std::size_t bytes;  ///< of one value, without its scale
  /// The smallest magnitude that may read back as infinity.
  float limit;
  std::uint32_t exponent;        ///< bits that are all set in infinity and NaN; 0: it has neither
  bool has_scales;               ///< each row has a scale
  std::string_view npy;          ///< type in .npy files; empty: NumPy has no such type
  std::string_view safetensors;  ///< type in safetensors files
};

/// A limit is halfway between the largest number and the one that would follow it; for int8, 127
/// times a scale that was rounded up is below it.
inline constexpr std::array kDtypeFormats = {
    DtypeFormat{Dtype::float32, 4, std::numeric_limits<float>::infinity(), 0x7F80'0000, false,
                "<f4", "F32"},
    DtypeFormat{Dtype::float16, 2, 65520.0F, 0x7C00, false, "<f2", "F16"},
    DtypeFormat{Dtype::bfloat16, 2, 0x1.FFp127F, 0x7F80, false, "", "BF16"},
    DtypeFormat{Dtype::int8, 1, 0x1.FFFFFCp127F, 0, true, "|i1", "I8"},
};

/// The row of a dtype. Any thread.
constexpr const DtypeFormat& format_of(Dtype dtype) {
  return kDtypeFormats[static_cast<std::size_t>(dtype)];
}
static_assert(std::ranges::all_of(kDtypeFormats, [](const DtypeFormat& format) {
  return &format_of(format.dtype) == &format;
}));

/// Returns what a sink of the dtype can take.
constexpr SinkTraits sink_traits(Dtype dtype) {
  return {.value_bytes = format_of(dtype).bytes, .value_limit = format_of(dtype).limit};
}

/// Why an array of NumPy cannot hold all of the dtype; empty if it can.
std::string not_in_numpy(Dtype dtype);

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

// The number formats that activations are written in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace elmo {

enum class Dtype { float32, float16 };

/// "float32" or "float16", as NumPy calls them.
std::string_view dtype_name(Dtype dtype);

/// Bytes of one value.
std::size_t dtype_bytes(Dtype dtype);

/// The least magnitude that is written as infinity: infinity for float32, 65520 for float16, whose
/// largest number is 65504.
float dtype_limit(Dtype dtype);

/// Each number as it reads back when it was written as float16. `to` has the size of `from`.
void round_to_float16(std::span<const float> from, std::span<float> to);

/// Little-endian bytes of numbers in one of these formats. Not shared between threads.
class Encoder {
 public:
  explicit Encoder(Dtype dtype) : dtype_(dtype) {}

  /// A view of `values` or of the encoder's own memory: valid until the next call.
  std::span<const std::byte> encode(std::span<const float> values);

 private:
  Dtype dtype_;
  std::vector<std::uint16_t> halves_;
};

}  // namespace elmo

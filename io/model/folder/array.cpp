#include "io/model/folder/array.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/error.h"
#include "core/inference/value_range.h"

namespace elmo {
namespace {

/// Formats the index of the i-th number: "[3, 17]".
std::string index_text(std::span<const std::uint64_t> shape, std::uint64_t i) {
  std::string text = "]";
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    text.insert(0, (axis > 0 ? ", " : "") + std::to_string(i % shape[axis]));
    i /= shape[axis];
  }
  return "[" + text;
}

}  // namespace

void require_finite(const std::string& file, const std::string& path,
                    std::span<const std::uint64_t> shape, std::span<const float> values,
                    std::uint64_t first) {
  const std::size_t index = first_out_of_range(values, std::numeric_limits<float>::infinity());
  if (index == values.size()) return;
  const float found = values[index];
  throw InputError(file + ": " + path + index_text(shape, first + index) + " is " +
                   (std::isnan(found) ? "NaN"
                    : found > 0       ? "infinite"
                                      : "minus infinite") +
                   "; expected finite numbers");
}

void write_array(h5::Writer& file, const std::string& path, std::span<const std::uint64_t> shape,
                 std::span<const float> values, Dtype dtype) {
  if (dtype == Dtype::float32) return file.write(path, shape, values);
  constexpr float kFirstBeyond = 65520.0F;  // the largest number is 65504, the next would be 65536
  const auto beyond = std::find_if(values.begin(), values.end(),
                                   [](float value) { return std::abs(value) >= kFirstBeyond; });
  if (beyond != values.end()) {
    throw InputError(path + " holds " + std::to_string(*beyond) +
                     ", which float16 cannot hold; expected numbers up to 65504. Write float32");
  }
  Encoder encoder(dtype, values.size());
  file.write(path, shape, h5::Element::float16, encoder.encode(values));
}

}  // namespace elmo

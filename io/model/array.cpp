#include "io/model/array.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace elmo {

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
  Encoder encoder(dtype);
  file.write(path, shape, h5::Element::float16, encoder.encode(values));
}

}  // namespace elmo

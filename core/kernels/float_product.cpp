#include "core/kernels/float_product.h"

#include <cstring>

#include "core/kernels/convert.h"
#include "core/kernels/quantize.h"

namespace elmo {

void convert_rows(const float* from, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                  Precision precision, std::byte* to, float* scales) {
  if (precision == Precision::int8) {
    quantize_rows(from, rows, columns, stride, reinterpret_cast<std::uint8_t*>(to), scales);
    return;
  }
  const auto count = static_cast<std::size_t>(columns);
  for (std::int64_t row = 0; row < rows; ++row) {
    const float* values = from + row * stride;
    if (precision == Precision::bfloat16) {
      to_bfloat16({values, count}, {reinterpret_cast<std::uint16_t*>(to) + row * columns, count});
    } else {
      std::memcpy(to + row * columns * static_cast<std::int64_t>(sizeof(float)), values,
                  count * sizeof(float));
    }
  }
}

void FloatProduct::set_input(const float* a, std::int64_t rows, std::int64_t columns,
                             Precision precision) {
  input_ = a;
  rows_ = rows;
  if (precision == Precision::float32) return;
  const std::int64_t padded = GemmWorkspace::padded_rows(rows);
  grow(converted_, padded * columns * static_cast<std::int64_t>(input_bytes(precision)));
  grow(scales_, rows);
  convert_rows(a, rows, columns, columns, precision, converted_.data(), scales_.data());
  input_ = converted_.data();
}

void FloatProduct::multiply(const PackedMatrix& w, float* c, GemmWorkspace& workspace) {
  if (w.precision() != Precision::int8) {
    workspace.multiply(input_, w, c, rows_, false);
    return;
  }
  grow(sums_, GemmWorkspace::padded_rows(rows_) * w.columns());
  workspace.multiply(input_, w, sums_.data(), rows_, false);
  dequantize_sums(sums_.data(), scales_.data(), w.scales().data(), w.offsets().data(), rows_,
                  w.columns(), c);
}

}  // namespace elmo

#include "core/kernels/operand.h"

#include <cstddef>
#include <span>

#include "core/kernels/convert.h"

namespace elmo {

void Operand::resize(std::int64_t rows, std::int64_t columns, Precision precision) {
  columns_ = columns;
  precision_ = precision;
  grow(values_, rows * columns);
  if (precision == Precision::bfloat16) grow(rounded_, rows * columns);
}

void Operand::round(std::int64_t first, std::int64_t count) {
  if (precision_ == Precision::float32) return;
  const auto size = static_cast<std::size_t>(count * columns_);
  const std::int64_t begin = first * columns_;
  to_bfloat16(std::span(values_.data() + begin, size), std::span(rounded_.data() + begin, size));
}

}  // namespace elmo

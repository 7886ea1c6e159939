// Parameters of layers in tests: filled with numbers, and in the reference's form.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/nn/layer.h"
#include "tests/core/kernels/numbers.h"
#include "tests/core/nn/packed.h"

namespace elmo {

/// By name, in double precision.
using ReferenceValues = std::map<std::string, DoubleNumbers>;

/// Fills all parameters with random numbers, and clears their gradients.
inline ReferenceValues randomize(const std::vector<Parameter*>& parameters, unsigned seed,
                                 float deviation = 0.5F) {
  ReferenceValues values;
  for (Parameter* parameter : parameters) {
    const FloatNumbers numbers =
        normal_numbers(static_cast<std::int64_t>(parameter->values.size()), deviation, seed++);
    std::copy(numbers.begin(), numbers.end(), parameter->values.begin());
    values[parameter->name] = {parameter->values.begin(), parameter->values.end()};
    parameter->clear_gradient();
  }
  return values;
}

/// Returns the gradient of all rows, whether it is stored by row or whole.
inline AlignedVector<float> whole_gradient(const Parameter& parameter) {
  if (!parameter.touched) return parameter.gradient;
  AlignedVector<float> whole(parameter.values.size(), 0.0F);
  const std::size_t columns =
      parameter.values.size() / static_cast<std::size_t>(parameter.shape[0]);
  for (std::size_t n = 0; n < parameter.touched->size(); ++n) {
    const auto row = static_cast<std::size_t>((*parameter.touched)[n]);
    std::copy_n(parameter.gradient.data() + n * columns, columns, whole.data() + row * columns);
  }
  return whole;
}

/// Compares the gradients of all parameters with differences of `loss`, a function of `values`.
inline void check_gradients(const std::vector<Parameter*>& parameters, ReferenceValues& values,
                            const std::function<double()>& loss) {
  for (const Parameter* parameter : parameters) {
    CAPTURE(parameter->name);
    check_gradient(whole_gradient(*parameter), values.at(parameter->name), loss);
  }
}

/// Columns beside a layer's own, which the layer must not change.
inline constexpr std::int64_t kBeside = 3;

/// Columns [column, column + columns).
inline Matrix columns_from(const Matrix& matrix, std::int64_t column, std::int64_t columns) {
  Matrix part(matrix.rows, columns);
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    std::copy_n(matrix.row(row) + column, columns, part.row(row));
  }
  return part;
}

}  // namespace elmo

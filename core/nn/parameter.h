// A trained array. The optimizer, checkpoints, gradient exchange and gradient clipping all iterate
// over one list of these per model.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/tensor/aligned.h"

namespace elmo {

/// Trained values, and the gradient of the loss with respect to them.
struct Parameter {
  std::string name;                 ///< unique in the model
  std::vector<std::int64_t> shape;  ///< row-major; the first extent counts the rows
  AlignedVector<float> values;
  /// Gradient of all values, or of the rows in `touched`, one after another. Empty until
  /// clear_gradient() or resize_gradient() makes room.
  AlignedVector<float> gradient;
  /// Distinct rows that the step touched. The gradient of other rows is zero; their values and
  /// optimizer state do not change. nullopt: the gradient is dense.
  std::optional<std::vector<std::int32_t>> touched;
  bool decays = true;              ///< whether weight decay applies
  std::uint64_t frozen_steps = 0;  ///< number of first training steps that do not change it

  Parameter() = default;
  /// All zero.
  Parameter(std::string parameter_name, std::vector<std::int64_t> parameter_shape)
      : name(std::move(parameter_name)), shape(std::move(parameter_shape)), values(size(), 0.0F) {}

  /// Number of values: the product of the shape.
  std::size_t size() const {
    std::size_t product = 1;
    for (const std::int64_t extent : shape) product *= static_cast<std::size_t>(extent);
    return product;
  }

  /// Number of values in a row.
  std::size_t row_size() const {
    return shape.empty() || shape[0] == 0 ? 0 : size() / static_cast<std::size_t>(shape[0]);
  }

  /// Number of values in the gradient: of all values, or of the touched rows.
  std::size_t gradient_size() const { return touched ? touched->size() * row_size() : size(); }

  /// Makes room for the gradient, for a backward pass that replaces it.
  void resize_gradient() { gradient.resize(gradient_size()); }

  /// Sets the gradient to zero and touches no row, for a backward pass that adds to it.
  void clear_gradient() {
    if (touched) touched->clear();
    gradient.assign(gradient_size(), 0.0F);
  }
};

}  // namespace elmo

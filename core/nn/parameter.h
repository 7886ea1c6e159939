// A trained array: what the optimizer, checkpoints, the exchange of gradients and their clipping go
// over, one list of these for each model.
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

/// Numbers that are trained, and the gradient of the loss with respect to them.
struct Parameter {
  std::string name;                 ///< no two of a model have the same
  std::vector<std::int64_t> shape;  ///< row-major; the first extent counts the rows
  AlignedVector<float> values;
  /// Of the values, or of the rows `touched`, one after another. Empty until a training makes room:
  /// clear_gradient() or resize_gradient().
  AlignedVector<float> gradient;
  /// Distinct rows that the step touched: the gradient of the others is zero, their values stay,
  /// and so does what the optimizer keeps of them. None: the gradient is dense.
  std::optional<std::vector<std::int32_t>> touched;
  bool decays = true;              ///< weight decay holds for it
  std::uint64_t frozen_steps = 0;  ///< the first steps of a training, which leave it as it is

  Parameter() = default;
  /// All zero.
  Parameter(std::string parameter_name, std::vector<std::int64_t> parameter_shape)
      : name(std::move(parameter_name)), shape(std::move(parameter_shape)), values(size(), 0.0F) {}

  /// Numbers that the shape has room for.
  std::size_t size() const {
    std::size_t product = 1;
    for (const std::int64_t extent : shape) product *= static_cast<std::size_t>(extent);
    return product;
  }

  /// Numbers of a row.
  std::size_t row_size() const {
    return shape.empty() || shape[0] == 0 ? 0 : size() / static_cast<std::size_t>(shape[0]);
  }

  /// Numbers of the gradient: of all values, or of the touched rows.
  std::size_t gradient_size() const { return touched ? touched->size() * row_size() : size(); }

  /// Makes room for the gradient; a backward pass that replaces it resumes from there.
  void resize_gradient() { gradient.resize(gradient_size()); }

  /// A gradient of zero that touches no row; a backward pass that adds to it resumes from there.
  void clear_gradient() {
    if (touched) touched->clear();
    gradient.assign(gradient_size(), 0.0F);
  }
};

}  // namespace elmo

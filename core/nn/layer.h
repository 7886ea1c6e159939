// What the layers of task models have in common: rows of numbers, sequences of rows, parameters.
//
// A layer is a class of its own with `forward` and `backward`. forward keeps what backward needs;
// backward is given the gradient with respect to the outputs of the last forward, adds to the
// gradients of the layer's parameters and gives the gradient with respect to the inputs. Sequences
// of a batch lie one after another without padding, so that a product takes all rows at once.
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

/// Rows of equal size, row-major and without gaps.
struct Matrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  AlignedVector<float> values;

  Matrix() = default;
  /// All zero.
  Matrix(std::int64_t row_count, std::int64_t column_count) { resize(row_count, column_count); }

  /// Changes the shape; all values are zero afterwards. Memory is kept where it suffices.
  void resize(std::int64_t row_count, std::int64_t column_count) {
    rows = row_count;
    columns = column_count;
    values.assign(static_cast<std::size_t>(rows * columns), 0.0F);
  }
  /// Takes the same values as other rows, of which there are as many numbers.
  void reshape(std::int64_t row_count, std::int64_t column_count) {
    rows = row_count;
    columns = column_count;
  }
  float* row(std::int64_t index) { return values.data() + index * columns; }
  const float* row(std::int64_t index) const { return values.data() + index * columns; }
};

/// How the rows of a Matrix are sequences: sequence b is rows begins[b] … begins[b + 1] − 1. Each
/// has at least one row.
struct Sequences {
  std::vector<std::int64_t> begins = {0};  ///< [B + 1], increasing from 0

  std::int64_t count() const { return static_cast<std::int64_t>(begins.size()) - 1; }  ///< B
  std::int64_t rows() const { return begins.back(); }
  std::int64_t begin(std::int64_t sequence) const {
    return begins[static_cast<std::size_t>(sequence)];
  }
  std::int64_t length(std::int64_t sequence) const { return begin(sequence + 1) - begin(sequence); }
  std::int64_t longest() const {
    std::int64_t most = 0;
    for (std::int64_t b = 0; b < count(); ++b) most = std::max(most, length(b));
    return most;
  }
  void add(std::int64_t length) { begins.push_back(begins.back() + length); }
};

/// Numbers that are trained, and the loss's gradient with respect to them.
struct Parameter {
  std::string name;
  std::vector<std::int64_t> shape;  ///< row-major
  AlignedVector<float> values;
  /// Of the values, or of the rows `touched`; backward adds to it, the optimizer's owner clears.
  AlignedVector<float> gradient;
  /// Distinct rows: `gradient` holds theirs, one after another, and the others' are zero. None: it
  /// is dense.
  std::optional<std::vector<std::int32_t>> touched;
  bool decays = true;  ///< weight decay holds for it

  Parameter() = default;
  /// All zero.
  Parameter(std::string parameter_name, std::vector<std::int64_t> parameter_shape)
      : name(std::move(parameter_name)), shape(std::move(parameter_shape)) {
    std::int64_t size = 1;
    for (const std::int64_t extent : shape) size *= extent;
    values.assign(static_cast<std::size_t>(size), 0.0F);
    gradient.assign(static_cast<std::size_t>(size), 0.0F);
  }

  void clear_gradient() {
    if (touched) {
      touched->clear();
      gradient.clear();
    } else {
      std::fill(gradient.begin(), gradient.end(), 0.0F);
    }
  }
};

/// How a batch is gone through.
struct PassOptions {
  bool training = false;  ///< apply dropout, and keep what backward needs
  std::uint64_t seed = 0;
  std::uint64_t step = 0;  ///< of the training; dropout's masks depend on seed, step and place
};

}  // namespace elmo

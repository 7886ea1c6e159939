// A bidirectional LSTM without projection over packed sequences.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/kernels/panel_matrix.h"
#include "core/kernels/sgemm.h"
#include "core/nn/layer.h"
#include "core/nn/time_order.h"
#include "core/parallel/workers.h"

namespace elmo {

/// One direction. Rows are sorted by time step, so that one product covers the inputs of all rows,
/// and the rows of each step, of the sequences that have not ended, are consecutive. Not for two
/// threads at once.
class Lstm {
 public:
  /// Parameters NAME/W_x [inputs, 4·cells], NAME/W_h [cells, 4·cells] and NAME/b [4·cells], all
  /// zero. The gate order is i, j, f, o.
  Lstm(const std::string& name, std::int64_t inputs, std::int64_t cells, bool reversed);

  std::vector<Parameter*> parameters() { return {&input_weights_, &recurrent_weights_, &bias_}; }

  /// Sets Glorot weights, forget gate biases of 1 (Jozefowicz et al. 2015) and other biases of 0.
  void initialize(std::uint64_t seed);

  /// Writes the outputs to `to` [rows, ..] from column `column` on. Each sequence starts from a
  /// zero state.
  void forward(const Matrix& input, const Sequences& sequences, Matrix& to, std::int64_t column);

  /// `gradient`: as `to` in forward. With `input_gradient`, give_input_gradient() gives the
  /// gradient with respect to the inputs afterwards.
  void backward(const Matrix& gradient, std::int64_t column, bool input_gradient);

  /// Writes or adds columns [column, column + columns) of the gradient with respect to the inputs
  /// to the same columns of `to` [rows, inputs]. Any thread.
  void give_input_gradient(Result result, std::int64_t column, std::int64_t columns,
                           Matrix& to) const;

 private:
  const float* previous_cell(std::size_t t) const;

  bool reversed_;
  std::int64_t inputs_;
  std::int64_t cells_;
  Parameter input_weights_;
  Parameter recurrent_weights_;
  Parameter bias_;

  // Of the current batch. All but the cell gradient are in time order.
  PanelMatrix recurrent_;             // W_h
  PanelMatrix recurrent_transposed_;  // for the gradient
  TimeOrder order_;
  Matrix input_;                          // [N, inputs]; after backward: input gradients
  AlignedVector<float> gates_;            // [N, 4·cells]; backward: gradients of the gate sums
  AlignedVector<float> previous_output_;  // [N + sequences, cells]
  AlignedVector<float> first_cell_;       // [sequences, cells], before the first step: 0
  AlignedVector<float> cell_;             // [N, cells]
  AlignedVector<float> output_gradient_;  // [N, cells]
  AlignedVector<float> cell_gradient_;    // [sequences, cells]
};

/// Both directions, in parallel on two workers. Row k of the outputs is [forward_k; backward_k].
/// Not for two threads at once.
class BiLstm {
 public:
  /// Parameters are named NAME/forward/… and NAME/backward/…
  BiLstm(const std::string& name, std::int64_t inputs, std::int64_t cells);

  std::int64_t outputs() const { return 2 * cells_; }
  std::vector<Parameter*> parameters();
  void initialize(std::uint64_t seed);

  /// Replaces `to` [rows, 2·cells]. `sequences` divides the rows of `input` [rows, inputs] into
  /// sequences.
  void forward(const Matrix& input, const Sequences& sequences, Workers& workers, Matrix& to);

  /// `gradient` [rows, 2·cells]. Replaces `input_gradient` [rows, inputs] unless it is null.
  void backward(const Matrix& gradient, Workers& workers, Matrix* input_gradient);

 private:
  std::int64_t inputs_;
  std::int64_t cells_;
  std::array<Lstm, 2> directions_;
};

}  // namespace elmo

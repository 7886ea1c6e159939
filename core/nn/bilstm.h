// Stacked bidirectional LSTMs without projection over packed sequences.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/kernels/panel_matrix.h"
#include "core/kernels/product.h"
#include "core/matrix.h"
#include "core/nn/layer.h"
#include "core/workers.h"

namespace elmo {

/// Returns the sequence numbers, longest sequence first; sequences of equal length keep their
/// order. Any thread.
std::vector<std::int64_t> longest_first(const Sequences& sequences);

/// The order in which an RNN processes rows: the first step of all sequences, then the second, and
/// so on. The rows of a step, of the sequences that have not ended, are consecutive. One thread.
class TimeOrder {
 public:
  /// `chosen`: sequence numbers, longest first. `reversed`: each sequence starts at its end.
  void set(const Sequences& sequences, std::span<const std::int64_t> chosen, bool reversed);

  std::int64_t size() const { return static_cast<std::int64_t>(rows_.size()); }
  std::size_t steps() const { return step_begins_.size() - 1; }
  /// The first position of step `t` in this order.
  std::int64_t begin(std::size_t t) const { return step_begins_[t]; }
  /// The number of sequences with more than `t` rows.
  std::int64_t lanes(std::size_t t) const { return step_begins_[t + 1] - step_begins_[t]; }
  /// The row of the packed matrix at position `n` of this order.
  std::int64_t row(std::int64_t n) const { return rows_[static_cast<std::size_t>(n)]; }

  /// to[n] = rows[row(n)] for n in [first, end). Threads may gather different parts at once.
  void gather(const ConstFloatView& rows, std::int64_t first, std::int64_t end, float* to) const;
  /// The inverse: rows[row(n)] = from[n] for n in [first, end).
  void scatter(const float* from, std::int64_t first, std::int64_t end, Matrix& rows) const;

 private:
  std::vector<std::int64_t> step_begins_ = {0};
  std::vector<std::int64_t> rows_;
};

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
  void give_input_gradient(Beta beta, std::int64_t column, std::int64_t columns, Matrix& to) const;

 private:
  const float* previous_cell(std::size_t t) const;

  bool reversed_;
  std::int64_t inputs_;
  std::int64_t cells_;
  Parameter input_weights_;
  Parameter recurrent_weights_;
  Parameter bias_;

  // The current batch. Everything but the cell gradient is in time order.
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
  std::vector<Parameter*> parameters() { return parameters_of(directions_); }
  void initialize(std::uint64_t seed) { initialize_layers(seed, directions_); }

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

/// Each layer reads the outputs of the layer below, with dropout between them. Not for two threads
/// at once.
class BiLstmStack {
 public:
  struct Options {
    std::int64_t inputs = 0;
    std::int64_t cells = 0;  ///< per direction
    std::int64_t layers = 1;
    float dropout = 0.0F;       ///< between layers
    std::uint32_t mask_id = 0;  ///< mask id of the dropout after the first layer; the next layers
                                ///< use the ids after it
  };

  /// Layers are named NAME_1, NAME_2, …
  BiLstmStack(const std::string& name, const Options& options);

  std::int64_t outputs() const { return lstms_.back().outputs(); }
  std::vector<Parameter*> parameters() { return parameters_of(lstms_); }
  void initialize(std::uint64_t seed) { initialize_layers(seed, lstms_); }

  /// Replaces `to` [rows, outputs()]. `input` [rows, inputs] must not change until backward.
  void forward(const Matrix& input, const Sequences& sequences, const PassOptions& options,
               Workers& workers, Matrix& to);

  /// `gradient`: as `to` in forward; overwritten. Replaces `input_gradient`.
  void backward(Matrix& gradient, const PassOptions& options, Workers& workers,
                Matrix& input_gradient);

 private:
  std::uint32_t mask_id_after(std::size_t layer) const;

  float dropout_;
  std::uint32_t mask_id_;
  std::vector<BiLstm> lstms_;
  std::vector<Matrix> between_;  // outputs of each layer but the last, after dropout
};

}  // namespace elmo

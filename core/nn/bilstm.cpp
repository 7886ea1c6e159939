#include "core/nn/bilstm.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/kernels/lstm_step.h"
#include "core/kernels/optimizer_kernels.h"

namespace elmo {

std::vector<std::int64_t> longest_first(const Sequences& sequences) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(sequences.count()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return sequences.length(a) > sequences.length(b);
  });
  return order;
}

void TimeOrder::set(const Sequences& sequences, std::span<const std::int64_t> chosen,
                    bool reversed) {
  step_begins_.assign(1, 0);
  rows_.clear();
  const std::int64_t steps = chosen.empty() ? 0 : sequences.length(chosen.front());
  for (std::int64_t t = 0; t < steps; ++t) {
    for (const std::int64_t sequence : chosen) {
      const std::int64_t length = sequences.length(sequence);
      if (length <= t) break;
      rows_.push_back(sequences.begin(sequence) + (reversed ? length - 1 - t : t));
    }
    step_begins_.push_back(size());
  }
}

void TimeOrder::gather(const ConstFloatView& rows, std::int64_t first, std::int64_t end,
                       float* to) const {
  for (std::int64_t n = first; n < end; ++n) {
    std::copy_n(rows.values + row(n) * rows.stride, rows.columns, to + n * rows.columns);
  }
}

void TimeOrder::scatter(const float* from, std::int64_t first, std::int64_t end,
                        Matrix& rows) const {
  for (std::int64_t n = first; n < end; ++n) {
    std::copy_n(from + n * rows.columns, rows.columns, rows.row(row(n)));
  }
}

Lstm::Lstm(const std::string& name, std::int64_t inputs, std::int64_t cells, bool reversed)
    : reversed_(reversed),
      inputs_(inputs),
      cells_(cells),
      input_weights_(name + "/W_x", {inputs, 4 * cells}),
      recurrent_weights_(name + "/W_h", {cells, 4 * cells}),
      bias_(name + "/b", {4 * cells}) {
  bias_.decays = false;
}

void Lstm::initialize(std::uint64_t seed) {
  initialize_lstm(input_weights_, recurrent_weights_, bias_, cells_, seed);
}

void Lstm::forward(const Matrix& input, const Sequences& sequences, Matrix& to,
                   std::int64_t column) {
  order_.set(sequences, longest_first(sequences), reversed_);
  const std::int64_t rows = input.rows;
  const std::int64_t columns = 4 * cells_;
  input_.set_shape(rows, inputs_);
  order_.gather(input.view(), 0, rows, input_.values.data());
  grow(gates_, rows * columns);
  grow(previous_output_, (rows + order_.lanes(0)) * cells_);
  grow(cell_, rows * cells_);
  first_cell_.assign(static_cast<std::size_t>(order_.lanes(0) * cells_), 0.0F);
  std::fill_n(previous_output_.data(), order_.lanes(0) * cells_, 0.0F);
  multiply(input_.view(), input_weights_.matrix(), {gates_.data(), rows, columns});

  recurrent_.set(recurrent_weights_.matrix());
  for (std::size_t t = 0; t < order_.steps(); ++t) {
    const std::int64_t first = order_.begin(t);
    const std::int64_t lanes = order_.lanes(t);
    float* gates = gates_.data() + first * columns;
    if (t > 0) {
      recurrent_.multiply_add({previous_output_.data() + first * cells_, lanes, cells_},
                              {gates, lanes, columns});
    }
    // Writes the outputs to where the next step reads them. Later steps overwrite the outputs of
    // sequences that end here.
    float* output = previous_output_.data() + (first + lanes) * cells_;
    LstmForwardStep step;
    step.rows = lanes;
    step.cells = cells_;
    step.bias = bias_.values.data();
    step.gates = gates;
    step.gates_stride = columns;
    step.previous_cell = previous_cell(t);
    step.cell = cell_.data() + first * cells_;
    step.output = output;
    step.output_stride = cells_;
    step.cell_clip = kNoClip;
    lstm_forward(step);
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      std::copy_n(output + lane * cells_, cells_, to.row(order_.row(first + lane)) + column);
    }
  }
}

// Returns the cells before step `t`. The sequences that continue are the first lanes of the step
// before.
const float* Lstm::previous_cell(std::size_t t) const {
  return t == 0 ? first_cell_.data() : cell_.data() + order_.begin(t - 1) * cells_;
}

void Lstm::backward(const Matrix& gradient, std::int64_t column, bool input_gradient) {
  const std::int64_t rows = gradient.rows;
  const std::int64_t columns = 4 * cells_;
  grow(output_gradient_, rows * cells_);
  order_.gather(gradient.view().column_range(column, cells_), 0, rows, output_gradient_.data());
  cell_gradient_.assign(static_cast<std::size_t>(order_.lanes(0) * cells_), 0.0F);

  recurrent_transposed_.set(recurrent_weights_.matrix().transposed());
  for (std::size_t t = order_.steps(); t-- > 0;) {
    const std::int64_t first = order_.begin(t);
    const std::int64_t lanes = order_.lanes(t);
    LstmBackwardStep step;
    step.rows = lanes;
    step.cells = cells_;
    step.gates = gates_.data() + first * columns;
    step.gates_stride = columns;
    step.previous_cell = previous_cell(t);
    step.cell = cell_.data() + first * cells_;
    step.output_gradient = output_gradient_.data() + first * cells_;
    step.cell_gradient = cell_gradient_.data();
    step.cell_clip = kNoClip;
    lstm_backward(step);
    if (t == 0) break;
    recurrent_transposed_.multiply_add(
        {step.gates, lanes, columns},
        {output_gradient_.data() + order_.begin(t - 1) * cells_, lanes, cells_});
  }

  // Computes weight gradients over all steps at once.
  const ConstFloatView gates(gates_.data(), rows, columns);
  multiply(input_.view().transposed(), gates, input_weights_.gradient_matrix(), Beta::one);
  multiply(ConstFloatView(previous_output_.data(), rows, cells_).transposed(), gates,
           recurrent_weights_.gradient_matrix(), Beta::one);
  add_column_sums({gates_.data(), rows, columns}, bias_.gradient.data());
  if (!input_gradient) return;
  // The inputs are no longer needed, so their gradients replace them.
  multiply(gates, input_weights_.matrix().transposed(), input_.view());
}

void Lstm::give_input_gradient(Beta beta, std::int64_t column, std::int64_t columns,
                               Matrix& to) const {
  for (std::int64_t n = 0; n < to.rows; ++n) {
    const float* from = input_.row(n) + column;
    float* row = to.row(order_.row(n)) + column;
    if (beta == Beta::zero) {
      std::copy_n(from, columns, row);
    } else {
      add(from, columns, row);
    }
  }
}

BiLstm::BiLstm(const std::string& name, std::int64_t inputs, std::int64_t cells)
    : inputs_(inputs),
      cells_(cells),
      directions_{Lstm(name + "/forward", inputs, cells, false),
                  Lstm(name + "/backward", inputs, cells, true)} {}

void BiLstm::forward(const Matrix& input, const Sequences& sequences, Workers& workers,
                     Matrix& to) {
  to.set_shape(input.rows, outputs());
  workers.run(directions_.size(), [&](std::size_t index) {
    directions_[index].forward(input, sequences, to, static_cast<std::int64_t>(index) * cells_);
  });
}

void BiLstm::backward(const Matrix& gradient, Workers& workers, Matrix* input_gradient) {
  workers.run(directions_.size(), [&](std::size_t index) {
    directions_[index].backward(gradient, static_cast<std::int64_t>(index) * cells_,
                                input_gradient != nullptr);
  });
  if (input_gradient == nullptr) return;
  input_gradient->set_shape(gradient.rows, inputs_);
  // Divides the work by columns, because the directions order the rows differently.
  constexpr std::int64_t kParts = 4;
  workers.run(kParts, [&](std::size_t index) {
    const auto part = static_cast<std::int64_t>(index);
    const std::int64_t column = inputs_ * part / kParts;
    const std::int64_t columns = inputs_ * (part + 1) / kParts - column;
    directions_[0].give_input_gradient(Beta::zero, column, columns, *input_gradient);
    directions_[1].give_input_gradient(Beta::one, column, columns, *input_gradient);
  });
}

BiLstmStack::BiLstmStack(const std::string& name, const Options& options)
    : dropout_(options.dropout), mask_id_(options.mask_id) {
  std::int64_t inputs = options.inputs;
  for (std::int64_t layer = 0; layer < options.layers; ++layer) {
    lstms_.emplace_back(name + "_" + std::to_string(layer + 1), inputs, options.cells);
    inputs = 2 * options.cells;
  }
  between_.resize(lstms_.size() - 1);
}

std::uint32_t BiLstmStack::mask_id_after(std::size_t layer) const {
  return mask_id_ + static_cast<std::uint32_t>(layer);
}

void BiLstmStack::forward(const Matrix& input, const Sequences& sequences,
                          const PassOptions& options, Workers& workers, Matrix& to) {
  const Matrix* from = &input;
  for (std::size_t layer = 0; layer < lstms_.size(); ++layer) {
    const bool last = layer + 1 == lstms_.size();
    Matrix& outputs = last ? to : between_[layer];
    lstms_[layer].forward(*from, sequences, workers, outputs);
    if (!last) drop(options, dropout_, mask_id_after(layer), workers, outputs);
    from = &outputs;
  }
}

void BiLstmStack::backward(Matrix& gradient, const PassOptions& options, Workers& workers,
                           Matrix& input_gradient) {
  for (std::size_t layer = lstms_.size(); layer-- > 0;) {
    lstms_[layer].backward(gradient, workers, &input_gradient);
    if (layer == 0) return;
    std::swap(gradient, input_gradient);
    drop(options, dropout_, mask_id_after(layer - 1), workers, gradient);
  }
}

}  // namespace elmo

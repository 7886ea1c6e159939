#include "core/nn/bilstm.h"

#include <algorithm>
#include <limits>

#include "core/kernels/lstm_training.h"
#include "core/kernels/optimizer_kernels.h"
#include "core/kernels/sgemm.h"
#include "core/nn/initialize.h"

namespace elmo {

namespace {

constexpr float kNoClip = std::numeric_limits<float>::infinity();

}  // namespace

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
  if (input_.rows != rows) input_.resize(rows, inputs_);
  order_.gather(input, 0, inputs_, input_.values.data());
  grow(gates_, rows * columns);
  grow(previous_output_, rows * cells_);
  grow(previous_cell_, rows * cells_);
  grow(cell_, rows * cells_);
  grow(output_, rows * cells_);
  multiply({input_.values.data(), inputs_}, {input_weights_.values.data(), columns}, rows, columns,
           inputs_, gates_.data(), columns, Result::replaced);

  for (std::size_t t = 0; t < order_.steps(); ++t) {
    const std::int64_t first = order_.begin(t);
    const std::int64_t lanes = order_.lanes(t);
    float* gates = gates_.data() + first * columns;
    float* previous_output = previous_output_.data() + first * cells_;
    float* previous_cell = previous_cell_.data() + first * cells_;
    if (t == 0) {
      std::fill_n(previous_output, lanes * cells_, 0.0F);
      std::fill_n(previous_cell, lanes * cells_, 0.0F);
    } else {
      std::copy_n(output_.data() + order_.begin(t - 1) * cells_, lanes * cells_, previous_output);
      std::copy_n(cell_.data() + order_.begin(t - 1) * cells_, lanes * cells_, previous_cell);
      multiply({previous_output, cells_}, {recurrent_weights_.values.data(), columns}, lanes,
               columns, cells_, gates, columns, Result::added);
    }
    LstmForwardStep step;
    step.rows = lanes;
    step.cells = cells_;
    step.bias = bias_.values.data();
    step.gates = gates;
    step.previous_cell = previous_cell;
    step.cell = cell_.data() + first * cells_;
    step.output = output_.data() + first * cells_;
    step.cell_clip = kNoClip;
    lstm_forward(step);
  }
  order_.scatter(output_.data(), cells_, to, column);
}

void Lstm::backward(const Matrix& gradient, std::int64_t column, bool input_gradient) {
  const std::int64_t rows = gradient.rows;
  const std::int64_t columns = 4 * cells_;
  grow(output_gradient_, rows * cells_);
  order_.gather(gradient, column, cells_, output_gradient_.data());
  cell_gradient_.assign(static_cast<std::size_t>(order_.lanes(0) * cells_), 0.0F);

  for (std::size_t t = order_.steps(); t-- > 0;) {
    const std::int64_t first = order_.begin(t);
    const std::int64_t lanes = order_.lanes(t);
    LstmBackwardStep step;
    step.rows = lanes;
    step.cells = cells_;
    step.gates = gates_.data() + first * columns;
    step.previous_cell = previous_cell_.data() + first * cells_;
    step.cell = cell_.data() + first * cells_;
    step.output_gradient = output_gradient_.data() + first * cells_;
    step.cell_gradient = cell_gradient_.data();
    step.cell_clip = kNoClip;
    lstm_backward(step);
    if (t == 0) break;
    multiply({step.gates, columns}, {recurrent_weights_.values.data(), columns, true}, lanes,
             cells_, columns, output_gradient_.data() + order_.begin(t - 1) * cells_, cells_,
             Result::added);
  }

  // The gradients of the weights, over all steps at once.
  multiply({input_.values.data(), inputs_, true}, {gates_.data(), columns}, inputs_, columns, rows,
           input_weights_.gradient.data(), columns, Result::added);
  multiply({previous_output_.data(), cells_, true}, {gates_.data(), columns}, cells_, columns, rows,
           recurrent_weights_.gradient.data(), columns, Result::added);
  add_column_sums(gates_.data(), rows, columns, bias_.gradient.data());
  if (!input_gradient) return;
  // The inputs themselves are needed no more.
  multiply({gates_.data(), columns}, {input_weights_.values.data(), columns, true}, rows, inputs_,
           columns, input_.values.data(), inputs_, Result::replaced);
}

void Lstm::add_input_gradient(Matrix& to) const {
  for (std::int64_t n = 0; n < to.rows; ++n) {
    add(input_.row(n), inputs_, to.row(order_.row(n)));
  }
}

BiLstm::BiLstm(const std::string& name, std::int64_t inputs, std::int64_t cells)
    : inputs_(inputs),
      cells_(cells),
      directions_{Lstm(name + "/forward", inputs, cells, false),
                  Lstm(name + "/backward", inputs, cells, true)} {}

std::vector<Parameter*> BiLstm::parameters() {
  std::vector<Parameter*> all = directions_[0].parameters();
  const std::vector<Parameter*> backward = directions_[1].parameters();
  all.insert(all.end(), backward.begin(), backward.end());
  return all;
}

void BiLstm::initialize(std::uint64_t seed) {
  for (Lstm& direction : directions_) direction.initialize(seed);
}

void BiLstm::forward(const Matrix& input, const Sequences& sequences, Workers& workers,
                     Matrix& to) {
  to.resize(input.rows, outputs());
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
  input_gradient->resize(gradient.rows, inputs_);
  for (const Lstm& direction : directions_) direction.add_input_gradient(*input_gradient);
}

}  // namespace elmo

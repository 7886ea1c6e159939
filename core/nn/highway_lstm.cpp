#include "core/nn/highway_lstm.h"

#include <algorithm>
#include <limits>

#include "core/kernels/highway.h"
#include "core/kernels/lstm_training.h"
#include "core/kernels/optimizer_kernels.h"
#include "core/kernels/sgemm.h"
#include "core/nn/initialize.h"

namespace elmo {

namespace {

constexpr float kNoCellClip = std::numeric_limits<float>::infinity();

// What stands in a row of sums, in multiples of the cells.
constexpr std::int64_t kLstmGates = 4;
constexpr std::int64_t kGates = 5;  // and r
constexpr std::int64_t kSums = 6;   // and what is carried

}  // namespace

HighwayLstm::HighwayLstm(const std::string& name, std::int64_t inputs, std::int64_t cells,
                         bool reversed)
    : inputs_(inputs),
      cells_(cells),
      reversed_(reversed),
      input_weights_(name + "/W_x", {inputs, kSums * cells}),
      recurrent_weights_(name + "/W_h", {cells, kGates * cells}),
      bias_(name + "/b", {kSums * cells}) {
  bias_.decays = false;
}

std::vector<Parameter*> HighwayLstm::parameters() {
  if (inputs_ == 0) return {&recurrent_weights_, &bias_};
  return {&input_weights_, &recurrent_weights_, &bias_};
}

void HighwayLstm::initialize(std::uint64_t seed) {
  initialize_lstm(input_weights_, recurrent_weights_, bias_, cells_, seed);
}

void HighwayLstm::pack() {
  recurrent_.set({recurrent_weights_.values.data(), kGates * cells_}, cells_, kGates * cells_);
}

void HighwayLstm::pack_transposed() {
  recurrent_transposed_.set({recurrent_weights_.values.data(), kGates * cells_, true},
                            kGates * cells_, cells_);
}

void HighwayLstm::Pass::forward(const HighwayLstm& layer, const TimeOrder& order,
                                const Matrix* sums, const AlignedVector<float>& masks,
                                Matrix& hidden) {
  const std::int64_t rows = order.size();
  const std::int64_t cells = layer.cells_;
  const std::int64_t columns = kSums * cells;
  grow(sums_, rows * columns);
  for (AlignedVector<float>* values :
       {&previous_output_, &previous_cell_, &cell_, &lstm_output_, &output_}) {
    grow(*values, rows * cells);
  }
  if (layer.inputs_ == 0) {
    order.gather(*sums, 0, columns, sums_.data());
  } else {
    grow(input_, rows * layer.inputs_);
    order.gather(hidden, 0, layer.inputs_, input_.data());
    multiply({input_.data(), layer.inputs_}, {layer.input_weights_.values.data(), columns}, rows,
             columns, layer.inputs_, sums_.data(), columns, Result::replaced);
  }

  for (std::size_t t = 0; t < order.steps(); ++t) {
    const std::int64_t first = order.begin(t);
    const std::int64_t lanes = order.lanes(t);
    float* previous_output = previous_output_.data() + first * cells;
    float* previous_cell = previous_cell_.data() + first * cells;
    if (t == 0) {
      std::fill_n(previous_output, lanes * cells, 0.0F);
      std::fill_n(previous_cell, lanes * cells, 0.0F);
    } else {
      std::copy_n(output_.data() + order.begin(t - 1) * cells, lanes * cells, previous_output);
      std::copy_n(cell_.data() + order.begin(t - 1) * cells, lanes * cells, previous_cell);
      layer.recurrent_.multiply_add(previous_output, cells, lanes, sums_.data() + first * columns,
                                    columns);
    }
    LstmForwardStep lstm;
    lstm.rows = lanes;
    lstm.cells = cells;
    lstm.bias = layer.bias_.values.data();
    lstm.gates = sums_.data() + first * columns;
    lstm.gates_stride = columns;
    lstm.previous_cell = previous_cell;
    lstm.cell = cell_.data() + first * cells;
    lstm.output = lstm_output_.data() + first * cells;
    lstm.cell_clip = kNoCellClip;
    lstm_forward(lstm);
    HighwayForwardStep highway;
    highway.rows = lanes;
    highway.cells = cells;
    highway.bias = layer.bias_.values.data() + kLstmGates * cells;
    highway.sums = lstm.gates + kLstmGates * cells;
    highway.sums_stride = columns;
    highway.layer = lstm.output;
    highway.mask = masks.empty() ? nullptr : masks.data();
    highway.output = output_.data() + first * cells;
    highway_forward(highway);
  }
  order.scatter(output_.data(), cells, hidden, 0);
}

void HighwayLstm::Pass::backward(HighwayLstm& layer, const TimeOrder& order,
                                 const AlignedVector<float>& masks, Matrix& gradient,
                                 Matrix* sums_gradient, GradientShare& gradients) {
  const std::int64_t rows = order.size();
  const std::int64_t cells = layer.cells_;
  const std::int64_t columns = kSums * cells;
  order.gather(gradient, 0, cells, output_.data());
  cell_gradient_.assign(static_cast<std::size_t>(order.lanes(0) * cells), 0.0F);

  for (std::size_t t = order.steps(); t-- > 0;) {
    const std::int64_t first = order.begin(t);
    const std::int64_t lanes = order.lanes(t);
    LstmBackwardStep lstm;
    lstm.rows = lanes;
    lstm.cells = cells;
    lstm.gates = sums_.data() + first * columns;
    lstm.gates_stride = columns;
    lstm.previous_cell = previous_cell_.data() + first * cells;
    lstm.cell = cell_.data() + first * cells;
    lstm.output_gradient = output_.data() + first * cells;
    lstm.cell_gradient = cell_gradient_.data();
    lstm.cell_clip = kNoCellClip;
    HighwayBackwardStep highway;
    highway.rows = lanes;
    highway.cells = cells;
    highway.sums = lstm.gates + kLstmGates * cells;
    highway.sums_stride = columns;
    highway.layer = lstm_output_.data() + first * cells;
    highway.mask = masks.empty() ? nullptr : masks.data();
    highway.gradient = output_.data() + first * cells;
    highway_backward(highway);
    lstm_backward(lstm);
    if (t == 0) break;
    layer.recurrent_transposed_.multiply_add(lstm.gates, columns, lanes,
                                             output_.data() + order.begin(t - 1) * cells, cells);
  }

  // The gradients of the weights, over all steps at once.
  multiply({previous_output_.data(), cells, true}, {sums_.data(), columns}, cells, kGates * cells,
           rows, gradients.of(layer.recurrent_weights_).data(), kGates * cells, Result::replaced);
  AlignedVector<float>& bias_gradient = gradients.of(layer.bias_);
  std::fill(bias_gradient.begin(), bias_gradient.end(), 0.0F);
  add_column_sums(sums_.data(), rows, columns, bias_gradient.data());
  if (layer.inputs_ == 0) {
    order.scatter(sums_.data(), columns, *sums_gradient, 0);
    return;
  }
  multiply({input_.data(), layer.inputs_, true}, {sums_.data(), columns}, layer.inputs_, columns,
           rows, gradients.of(layer.input_weights_).data(), columns, Result::replaced);
  // The inputs themselves are needed no more.
  multiply({sums_.data(), columns}, {layer.input_weights_.values.data(), columns, true}, rows,
           layer.inputs_, columns, input_.data(), layer.inputs_, Result::replaced);
  order.scatter(input_.data(), layer.inputs_, gradient, 0);
}

}  // namespace elmo

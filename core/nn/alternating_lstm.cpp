#include "core/nn/alternating_lstm.h"

#include <algorithm>

#include "core/kernels/lstm_step.h"
#include "core/kernels/optimizer_kernels.h"
#include "core/kernels/product.h"
#include "core/kernels/random.h"
#include "core/nn/affine.h"

namespace elmo {
namespace {

// Width of the parts of a row of sums, in multiples of `cells`.
constexpr std::int64_t kLstmGates = 4;
constexpr std::int64_t kGates = 5;     // gates i, j, f, o and r
constexpr std::int64_t kGateSums = 6;  // the gates and the carry

// Rows of sums and columns of weight gradients that one worker computes at a time. Smaller products
// are slower.
constexpr std::int64_t kLstmRowsAtOnce = 320;
constexpr std::int64_t kColumnsAtOnce = 384;

}  // namespace

HighwayLstm::HighwayLstm(const std::string& name, std::int64_t inputs, std::int64_t cells,
                         bool reversed)
    : inputs_(inputs),
      cells_(cells),
      reversed_(reversed),
      input_weights_(name + "/W_x", {inputs, kGateSums * cells}),
      recurrent_weights_(name + "/W_h", {cells, kGates * cells}),
      bias_(name + "/b", {kGateSums * cells}) {
  bias_.decays = false;
}

std::vector<Parameter*> HighwayLstm::parameters() {
  if (inputs_ == 0) return {&recurrent_weights_, &bias_};
  return {&input_weights_, &recurrent_weights_, &bias_};
}

void HighwayLstm::initialize(std::uint64_t seed) {
  initialize_lstm(input_weights_, recurrent_weights_, bias_, cells_, seed);
}

void HighwayLstm::pack() { recurrent_.set(recurrent_weights_.matrix()); }

void HighwayLstm::pack_transposed() {
  recurrent_transposed_.set(recurrent_weights_.matrix().transposed());
}

void HighwayLstm::forward(const TimeOrder& order, const Matrix* sums,
                          const AlignedVector<float>& masks, Workers& workers, Matrix& hidden) {
  const std::int64_t rows = order.size();
  const std::int64_t columns = kGateSums * cells_;
  grow(sums_, rows * columns);
  grow(input_, rows * inputs_);
  for (AlignedVector<float>* values : {&previous_output_, &cell_, &lstm_output_}) {
    grow(*values, rows * cells_);
  }
  first_cell_.assign(static_cast<std::size_t>(cells_), 0.0F);
  std::fill_n(previous_output_.data(), order.lanes(0) * cells_, 0.0F);
  for_blocks(rows, kLstmRowsAtOnce, workers, [&](std::int64_t first, std::int64_t end) {
    if (inputs_ == 0) {
      order.gather(sums->view(), first, end, sums_.data());
      return;
    }
    order.gather(hidden.view(), first, end, input_.data());
    multiply({input_.data() + first * inputs_, end - first, inputs_}, input_weights_.matrix(),
             {sums_.data() + first * columns, end - first, columns});
  });
  workers.run(static_cast<std::size_t>(workers.count()), [&](std::size_t worker) {
    go_forward(order, masks, {static_cast<std::int64_t>(worker), workers.count()}, hidden);
  });
}

// Returns the cells before step `t`. A sequence has the same lane in all steps.
const float* HighwayLstm::previous_cell(const TimeOrder& order, std::size_t t,
                                        std::int64_t lane) const {
  return t == 0 ? first_cell_.data() : cell_.data() + (order.begin(t - 1) + lane) * cells_;
}

void HighwayLstm::go_forward(const TimeOrder& order, const AlignedVector<float>& masks, Lanes lanes,
                             Matrix& hidden) {
  const std::int64_t columns = kGateSums * cells_;
  for (std::size_t t = 0; t < order.steps(); ++t) {
    const std::int64_t count = lanes.count(order.lanes(t));
    if (count == 0) return;
    const std::int64_t begin = order.begin(t) + lanes.first;
    if (t > 0) {
      recurrent_.multiply_add(
          {previous_output_.data() + begin * cells_, count, cells_, lanes.apart * cells_},
          {sums_.data() + begin * columns, count, kGates * cells_, lanes.apart * columns});
    }
    const bool is_last = t + 1 == order.steps();
    for (std::int64_t lane = lanes.first; lane < order.lanes(t); lane += lanes.apart) {
      const std::int64_t n = order.begin(t) + lane;
      LstmForwardStep lstm;
      lstm.rows = 1;
      lstm.cells = cells_;
      lstm.bias = bias_.values.data();
      lstm.gates = sums_.data() + n * columns;
      lstm.previous_cell = previous_cell(order, t, lane);
      lstm.cell = cell_.data() + n * cells_;
      lstm.output = lstm_output_.data() + n * cells_;
      lstm.cell_clip = kNoClip;
      lstm_forward(lstm);
      HighwayForwardStep highway;
      highway.cells = cells_;
      highway.bias = bias_.values.data() + kLstmGates * cells_;
      highway.sums = lstm.gates + kLstmGates * cells_;
      highway.layer = lstm.output;
      highway.mask = masks.empty() ? nullptr : masks.data() + lane * cells_;
      highway.output = hidden.row(order.row(n));
      highway_forward(highway);
      if (is_last || lane >= order.lanes(t + 1)) continue;
      std::copy_n(highway.output, cells_,
                  previous_output_.data() + (order.begin(t + 1) + lane) * cells_);
    }
  }
}

void HighwayLstm::backward(const TimeOrder& order, const AlignedVector<float>& masks,
                           Workers& workers, Matrix& gradient, Matrix* sums_gradient) {
  const std::int64_t rows = order.size();
  const std::int64_t columns = kGateSums * cells_;
  grow(output_gradient_, rows * cells_);
  cell_gradient_.assign(static_cast<std::size_t>(order.lanes(0) * cells_), 0.0F);
  workers.run(static_cast<std::size_t>(workers.count()), [&](std::size_t worker) {
    go_backward(order, masks, {static_cast<std::int64_t>(worker), workers.count()}, gradient);
  });
  const std::int64_t weights = block_count(columns, kColumnsAtOnce);
  const std::int64_t inputs = block_count(rows, kLstmRowsAtOnce);
  workers.run(static_cast<std::size_t>(weights + inputs + 1), [&](std::size_t job) {
    const auto number = static_cast<std::int64_t>(job);
    if (number < weights) {
      const std::int64_t first = number * kColumnsAtOnce;
      add_weight_gradients(rows, first, std::min(first + kColumnsAtOnce, columns));
    } else if (number == weights + inputs) {
      add_column_sums({sums_.data(), rows, columns}, bias_.gradient.data());
    } else {
      const std::int64_t first = (number - weights) * kLstmRowsAtOnce;
      give_input_gradient(order, first, std::min(first + kLstmRowsAtOnce, rows), gradient,
                          sums_gradient);
    }
  });
}

// Adds the gradients of columns [first, end) of W_x and W_h, over all steps at once.
void HighwayLstm::add_weight_gradients(std::int64_t rows, std::int64_t first, std::int64_t end) {
  const ConstFloatView sums(sums_.data(), rows, kGateSums * cells_);
  if (inputs_ > 0) {
    multiply(ConstFloatView(input_.data(), rows, inputs_).transposed(),
             sums.column_range(first, end - first),
             input_weights_.gradient_matrix().column_range(first, end - first), Beta::one);
  }
  const std::int64_t recurrent = kGates * cells_;
  if (first >= recurrent) return;
  const std::int64_t count = std::min(end, recurrent) - first;
  multiply(ConstFloatView(previous_output_.data(), rows, cells_).transposed(),
           sums.column_range(first, count),
           recurrent_weights_.gradient_matrix().column_range(first, count), Beta::one);
}

// Computes the input gradients of rows [first, end) in time order.
void HighwayLstm::give_input_gradient(const TimeOrder& order, std::int64_t first, std::int64_t end,
                                      Matrix& gradient, Matrix* sums_gradient) {
  const std::int64_t columns = kGateSums * cells_;
  if (inputs_ == 0) {
    order.scatter(sums_.data(), first, end, *sums_gradient);
    return;
  }
  // The output gradients are no longer needed, so the input gradients replace them.
  multiply({sums_.data() + first * columns, end - first, columns},
           input_weights_.matrix().transposed(),
           {output_gradient_.data() + first * inputs_, end - first, inputs_});
  order.scatter(output_gradient_.data(), first, end, gradient);
}

void HighwayLstm::go_backward(const TimeOrder& order, const AlignedVector<float>& masks,
                              Lanes lanes, const Matrix& gradient) {
  const std::int64_t columns = kGateSums * cells_;
  for (std::size_t t = 0; t < order.steps(); ++t) {
    for (std::int64_t lane = lanes.first; lane < order.lanes(t); lane += lanes.apart) {
      const std::int64_t n = order.begin(t) + lane;
      std::copy_n(gradient.row(order.row(n)), cells_, output_gradient_.data() + n * cells_);
    }
  }
  for (std::size_t t = order.steps(); t-- > 0;) {
    const std::int64_t count = lanes.count(order.lanes(t));
    if (count == 0) continue;
    for (std::int64_t lane = lanes.first; lane < order.lanes(t); lane += lanes.apart) {
      const std::int64_t n = order.begin(t) + lane;
      LstmBackwardStep lstm;
      lstm.rows = 1;
      lstm.cells = cells_;
      lstm.gates = sums_.data() + n * columns;
      lstm.previous_cell = previous_cell(order, t, lane);
      lstm.cell = cell_.data() + n * cells_;
      lstm.output_gradient = output_gradient_.data() + n * cells_;
      lstm.cell_gradient = cell_gradient_.data() + lane * cells_;
      lstm.cell_clip = kNoClip;
      HighwayBackwardStep highway;
      highway.cells = cells_;
      highway.sums = lstm.gates + kLstmGates * cells_;
      highway.layer = lstm_output_.data() + n * cells_;
      highway.mask = masks.empty() ? nullptr : masks.data() + lane * cells_;
      highway.gradient = output_gradient_.data() + n * cells_;
      highway_backward(highway);
      lstm_backward(lstm);
    }
    if (t == 0) return;
    recurrent_transposed_.multiply_add(
        {sums_.data() + (order.begin(t) + lanes.first) * columns, count, kGates * cells_,
         lanes.apart * columns},
        {output_gradient_.data() + (order.begin(t - 1) + lanes.first) * cells_, count, cells_,
         lanes.apart * cells_});
  }
}

AlternatingLstm::AlternatingLstm(const std::string& name, const Options& options)
    : cells_(options.cells), dropout_(options.dropout), mask_id_(options.mask_id) {
  for (std::int64_t layer = 0; layer < options.layers; ++layer) {
    layers_.emplace_back(name + "_" + std::to_string(layer + 1), layer == 0 ? 0 : cells_, cells_,
                         layer % 2 == 1);
  }
  masks_.resize(layers_.size());
}

// Each mask value is a function of the layer, the sequence number and the cell.
void AlternatingLstm::draw_masks(std::span<const std::int64_t> sequences,
                                 const PassOptions& options) {
  const bool drops = options.training && dropout_ > 0.0F;
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    AlignedVector<float>& masks = masks_[layer];
    masks.assign(drops ? sequences.size() * static_cast<std::size_t>(cells_) : 0, 1.0F);
    if (!drops) continue;
    const DropoutKey key{options.seed, options.step, mask_id_ + static_cast<std::uint32_t>(layer)};
    float* mask = masks.data();
    for (const std::int64_t sequence : sequences) {
      dropout(key, dropout_, sequence * cells_, mask, cells_, mask);
      mask += cells_;
    }
  }
}

void AlternatingLstm::forward(const Matrix& sums, const Sequences& sequences,
                              const PassOptions& options, Workers& workers, Matrix& to) {
  const std::vector<std::int64_t> longest = longest_first(sequences);
  orders_[0].set(sequences, longest, false);
  orders_[1].set(sequences, longest, true);
  draw_masks(longest, options);
  to.set_shape(sums.rows, cells_);
  workers.run(layers_.size(), [&](std::size_t layer) { layers_[layer].pack(); });
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    layers_[layer].forward(order_of(layer), &sums, masks_[layer], workers, to);
  }
}

void AlternatingLstm::backward(Matrix& gradient, Workers& workers, Matrix& sums_gradient) {
  sums_gradient.set_shape(gradient.rows, sums());
  workers.run(layers_.size(), [&](std::size_t layer) { layers_[layer].pack_transposed(); });
  for (std::size_t layer = layers_.size(); layer-- > 0;) {
    layers_[layer].backward(order_of(layer), masks_[layer], workers, gradient, &sums_gradient);
  }
}

}  // namespace elmo

#include "core/train/lstm_pass.h"

#include <algorithm>
#include <limits>

#include "core/kernels/lstm_training.h"
#include "core/kernels/optimizer_kernels.h"

namespace elmo {

namespace {

// Masks differ from place to place: a direction's layers, then its outputs.
constexpr std::size_t kPlacesPerDirection = 1024;

constexpr float kNoClip = std::numeric_limits<float>::infinity();

// Makes the rows of lanes that start anew zero.
void reset_rows(const std::uint8_t* resets, std::int64_t lanes, std::int64_t columns,
                std::int64_t stride, float* values) {
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    if (resets[lane] != 0) std::fill_n(values + lane * stride, columns, 0.0F);
  }
}

void copy_rows(const float* from, std::int64_t from_stride, std::int64_t rows, std::int64_t columns,
               float* to, std::int64_t to_stride) {
  for (std::int64_t row = 0; row < rows; ++row) {
    std::copy_n(from + row * from_stride, columns, to + row * to_stride);
  }
}

}  // namespace

std::vector<std::size_t> parameters_of(const LstmIndex& layer) {
  std::vector<std::size_t> indices{layer.gates.weights, layer.gates.bias};
  if (layer.projection) indices.push_back(*layer.projection);
  return indices;
}

LstmPass::LstmPass(const ModelOptions& model, const LaneShare& share, Precision precision)
    : cells_(model.lstm.dim),
      projection_(model.lstm.projection_dim),
      cell_clip_(model.lstm.cell_clip.value_or(kNoClip)),
      proj_clip_(model.lstm.proj_clip.value_or(kNoClip)),
      skip_(model.lstm.use_skip_connections),
      forget_offset_(model.lstm.forget_offset),
      share_(share),
      products_(precision),
      layers_(static_cast<std::size_t>(model.lstm.n_layers)) {}

// The masks are those of all lanes, so that they do not depend on how these are shared.
void LstmPass::drop(const StepOptions& options, std::size_t place, std::int64_t steps,
                    AlignedVector<float>& values) const {
  if (options.dropout == 0.0F) return;
  DropoutKey key = options.dropout_key;
  key.place = static_cast<std::uint32_t>(share_.direction * kPlacesPerDirection + place);
  const LaneRange& lanes = share_.lanes;
  const bool whole = lanes.count == lanes.all;
  const std::int64_t parts = whole ? 1 : steps;
  const std::int64_t size = (whole ? steps : 1) * lanes.count * projection_;
  for (std::int64_t t = 0; t < parts; ++t) {
    float* at = values.data() + t * size;
    dropout(key, options.dropout, (t * lanes.all + lanes.first) * projection_, at, size, at);
  }
}

void LstmPass::reserve(std::int64_t rows, std::int64_t lanes) {
  for (Layer& layer : layers_) {
    grow(layer.joined, rows * 2 * projection_);
    grow(layer.gates, rows * 4 * cells_);
    grow(layer.previous_cell, rows * cells_);
    grow(layer.cell, rows * cells_);
    grow(layer.hidden, rows * cells_);
    grow(layer.output, rows * projection_);
  }
  grow(hidden_gradient_, lanes * cells_);
  grow(cell_gradient_, lanes * cells_);
  grow(joined_gradient_, lanes * 2 * projection_);
  grow(recurrent_gradient_, lanes * projection_);
  grow(output_gradient_, rows * projection_);
}

void LstmPass::forward(const Parameters& parameters, const TrainingBatch& batch,
                       const StepOptions& options, std::vector<LaneState>& states,
                       AlignedVector<float>& activations) {
  const std::int64_t rows = batch.steps * batch.lanes;
  reserve(rows, batch.lanes);
  for (std::size_t index = 0; index < layers_.size(); ++index) {
    Layer& layer = layers_[index];
    drop(options, index, batch.steps, activations);
    copy_rows(activations.data(), projection_, rows, projection_, layer.joined.data(),
              2 * projection_);
    forward_layer(parameters, parameters.index().lstm[share_.direction][index], batch,
                  states[index], layer);
    if (skip_ && index > 0) {
      add(layer.output.data(), rows * projection_, activations.data());
    } else {
      std::copy_n(layer.output.data(), rows * projection_, activations.data());
    }
  }
  drop(options, layers_.size(), batch.steps, activations);
}

void LstmPass::forward_layer(const Parameters& parameters, const LstmIndex& index,
                             const TrainingBatch& batch, LaneState& state, Layer& layer) {
  const std::int64_t lanes = batch.lanes;
  layer.gate_weights.set(parameters[index.gates.weights].values.data(), 2 * projection_, 4 * cells_,
                         products_.precision());
  if (index.projection) {
    layer.projection_weights.set(parameters[*index.projection].values.data(), cells_, projection_,
                                 products_.precision());
  }
  float* kept_output = state.output.data() + share_.first * projection_;
  float* kept_state = state.cell.data() + share_.first * cells_;
  const float* previous_output = kept_output;
  const float* previous_cell = kept_state;
  for (std::int64_t t = 0; t < batch.steps; ++t) {
    const std::int64_t first = t * lanes;
    const std::uint8_t* resets = batch.resets.data() + first;
    float* joined = layer.joined.data() + first * 2 * projection_;
    copy_rows(previous_output, projection_, lanes, projection_, joined + projection_,
              2 * projection_);
    reset_rows(resets, lanes, projection_, 2 * projection_, joined + projection_);
    float* kept_cell = layer.previous_cell.data() + first * cells_;
    std::copy_n(previous_cell, lanes * cells_, kept_cell);
    reset_rows(resets, lanes, cells_, cells_, kept_cell);

    LstmForwardStep step;
    step.rows = lanes;
    step.cells = cells_;
    step.bias = parameters[index.gates.bias].values.data();
    step.forget_offset = forget_offset_;
    step.gates = layer.gates.data() + first * 4 * cells_;
    step.previous_cell = kept_cell;
    step.cell = layer.cell.data() + first * cells_;
    step.output = layer.hidden.data() + first * cells_;
    step.cell_clip = cell_clip_;
    products_.multiply({joined, 2 * projection_}, layer.gate_weights, lanes, step.gates,
                       Result::replaced);
    lstm_forward(step);

    float* output = layer.output.data() + first * projection_;
    if (index.projection) {
      products_.multiply({step.output, cells_}, layer.projection_weights, lanes, output,
                         Result::replaced);
      clip(output, lanes * projection_, proj_clip_);
    } else {
      std::copy_n(step.output, lanes * projection_, output);
    }
    previous_output = output;
    previous_cell = step.cell;
  }
  std::copy_n(previous_output, lanes * projection_, kept_output);
  std::copy_n(previous_cell, lanes * cells_, kept_state);
}

void LstmPass::backward(const Parameters& parameters, const TrainingBatch& batch,
                        const StepOptions& options, AlignedVector<float>& gradient,
                        std::vector<AlignedVector<float>>& gradients, const GradientReady& ready) {
  drop(options, layers_.size(), batch.steps, gradient);
  for (std::size_t index = layers_.size(); index-- > 0;) {
    const LstmIndex& layer = parameters.index().lstm[share_.direction][index];
    backward_layer(layer, batch, skip_ && index > 0, layers_[index], gradient, gradients);
    if (ready) {
      for (const std::size_t parameter : parameters_of(layer)) ready(parameter);
    }
    drop(options, index, batch.steps, gradient);
  }
}

void LstmPass::backward_layer(const LstmIndex& index, const TrainingBatch& batch, bool skip,
                              Layer& layer, AlignedVector<float>& gradient,
                              std::vector<AlignedVector<float>>& gradients) {
  const std::int64_t lanes = batch.lanes;
  const std::int64_t rows = batch.steps * lanes;
  std::fill_n(cell_gradient_.data(), lanes * cells_, 0.0F);
  std::fill_n(recurrent_gradient_.data(), lanes * projection_, 0.0F);

  for (std::int64_t t = batch.steps; t-- > 0;) {
    const std::int64_t first = t * lanes;
    float* inputs = gradient.data() + first * projection_;  // of the layer's outputs as yet
    float* outputs = output_gradient_.data() + first * projection_;
    std::copy_n(inputs, lanes * projection_, outputs);
    add(recurrent_gradient_.data(), lanes * projection_, outputs);

    const float* hidden_gradient = outputs;
    if (index.projection) {
      mask_clipped(layer.output.data() + first * projection_, lanes * projection_, proj_clip_,
                   outputs);
      products_.multiply_transposed({outputs, projection_}, layer.projection_weights, lanes,
                                    hidden_gradient_.data(), Result::replaced);
      hidden_gradient = hidden_gradient_.data();
    }

    LstmBackwardStep step;
    step.rows = lanes;
    step.cells = cells_;
    step.gates = layer.gates.data() + first * 4 * cells_;
    step.previous_cell = layer.previous_cell.data() + first * cells_;
    step.cell = layer.cell.data() + first * cells_;
    step.output_gradient = hidden_gradient;
    step.cell_gradient = cell_gradient_.data();
    step.cell_clip = cell_clip_;
    lstm_backward(step);

    products_.multiply_transposed({step.gates, 4 * cells_}, layer.gate_weights, lanes,
                                  joined_gradient_.data(), Result::replaced);
    const float* joined = joined_gradient_.data();
    for (std::int64_t lane = 0; lane < lanes; ++lane, joined += 2 * projection_) {
      float* input = inputs + lane * projection_;
      if (skip) {
        add(joined, projection_, input);
      } else {
        std::copy_n(joined, projection_, input);
      }
    }
    copy_rows(joined_gradient_.data() + projection_, 2 * projection_, lanes, projection_,
              recurrent_gradient_.data(), projection_);
    const std::uint8_t* resets = batch.resets.data() + first;
    reset_rows(resets, lanes, projection_, projection_, recurrent_gradient_.data());
    reset_rows(resets, lanes, cells_, cells_, cell_gradient_.data());
  }

  // The gradients of the weights, over all steps at once.
  products_.multiply({layer.joined.data(), 2 * projection_, true}, {layer.gates.data(), 4 * cells_},
                     2 * projection_, 4 * cells_, rows, gradients[index.gates.weights].data(),
                     4 * cells_, Result::replaced);
  AlignedVector<float>& bias = gradients[index.gates.bias];
  std::fill(bias.begin(), bias.end(), 0.0F);
  add_column_sums(layer.gates.data(), rows, 4 * cells_, bias.data());
  if (index.projection) {
    products_.multiply({layer.hidden.data(), cells_, true}, {output_gradient_.data(), projection_},
                       cells_, projection_, rows, gradients[*index.projection].data(), projection_,
                       Result::replaced);
  }
}

}  // namespace elmo

#include "core/train/bilm/lstm_pass.h"

#include <algorithm>
#include <cmath>

#include "core/kernels/lstm_step.h"
#include "core/kernels/optimizer_kernels.h"

namespace elmo {

namespace {

// Maximum number of dropout masks per direction: one for each layer's input, and one for the last
// output.
constexpr std::size_t kMasksPerDirection = 1024;

// Lanes whose gates are processed together, so that they stay in the L2 cache.
constexpr std::int64_t kGroupLanes = 8;

// Zeroes the rows of lanes that restart.
void reset_rows(const std::uint8_t* resets, std::int64_t lanes, std::int64_t columns,
                std::int64_t stride, float* values) {
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    if (resets[lane] != 0) std::fill_n(values + lane * stride, columns, 0.0F);
  }
}

}  // namespace

LstmPass::Layer::Layer(Parameters& parameters, const LstmIndex& index)
    : weights(parameters[index.gates.weights]),
      bias(parameters[index.gates.bias]),
      projection(index.projection ? &parameters[*index.projection] : nullptr) {}

LstmPass::LstmPass(TrainedBilm& model, const LaneShare& share, Precision precision)
    : cells_(model.options.lstm.dim),
      projection_(model.options.lstm.projection_dim),
      cell_clip_(model.options.lstm.cell_clip.value_or(kNoClip)),
      proj_clip_(model.options.lstm.proj_clip.value_or(kNoClip)),
      skip_(model.options.lstm.use_skip_connections),
      forget_offset_(model.options.lstm.forget_offset),
      share_(share),
      gradients_(share.is_first_of_direction()),
      products_(precision),
      gate_weights_(precision),
      projection_weights_(precision) {
  for (const LstmIndex& index : model.parameters.index().lstm[share.direction]) {
    layers_.emplace_back(model.parameters, index);
  }
}

// Each mask covers all trained lanes, so that it does not depend on how lanes are shared.
void LstmPass::drop(const StepOptions& options, std::size_t mask, std::int64_t steps,
                    AlignedVector<float>& values) const {
  if (options.dropout == 0.0F) return;
  DropoutKey key = options.dropout_key;
  key.mask_id = static_cast<std::uint32_t>(share_.direction * kMasksPerDirection + mask);
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
    layer.joined.resize(rows, 2 * projection_, products_.precision());
    layer.gates.resize(rows, 4 * cells_, products_.precision());
    grow(layer.previous_cell, rows * cells_);
    grow(layer.cell, rows * cells_);
    layer.hidden.resize(rows, cells_, products_.precision());
    grow(layer.output, rows * projection_);
  }
  grow(hidden_gradient_, lanes * cells_);
  grow(cell_gradient_, lanes * cells_);
  grow(joined_gradient_, lanes * 2 * projection_);
  grow(recurrent_gradient_, lanes * projection_);
  output_gradient_.resize(rows, projection_, products_.precision());
}

void LstmPass::forward(const TrainingBatch& batch, const StepOptions& options, LstmState& state,
                       AlignedVector<float>& activations) {
  const std::int64_t rows = batch.steps * batch.lanes;
  reserve(rows, batch.lanes);
  for (std::size_t index = 0; index < layers_.size(); ++index) {
    Layer& layer = layers_[index];
    drop(options, index, batch.steps, activations);
    copy_rows({activations.data(), rows, projection_},
              layer.joined.view(0, rows).column_range(0, projection_));
    forward_layer(batch, state.layers[index], layer);
    if (skip_ && index > 0) {
      add(layer.output.data(), rows * projection_, activations.data());
    } else {
      std::copy_n(layer.output.data(), rows * projection_, activations.data());
    }
  }
  drop(options, layers_.size(), batch.steps, activations);
}

void LstmPass::forward_layer(const TrainingBatch& batch, LstmState::Layer& state, Layer& layer) {
  const std::int64_t lanes = batch.lanes;
  const Parameter* projection = layer.projection;
  gate_weights_.set(layer.weights.matrix());
  if (projection != nullptr) projection_weights_.set(projection->matrix());
  float* kept_output = state.h.data() + share_.first * projection_;
  float* kept_state = state.c.data() + share_.first * cells_;
  const float* previous_output = kept_output;
  const float* previous_cell = kept_state;
  for (std::int64_t t = 0; t < batch.steps; ++t) {
    const std::int64_t first = t * lanes;
    const std::uint8_t* resets = batch.resets.data() + first;
    float* recurrent = layer.joined.row(first) + projection_;
    const std::int64_t joined_stride = layer.joined.stride();
    copy_rows({previous_output, lanes, projection_},
              {recurrent, lanes, projection_, joined_stride});
    reset_rows(resets, lanes, projection_, joined_stride, recurrent);
    layer.joined.round(first, lanes);
    float* kept_cell = layer.previous_cell.data() + first * cells_;
    std::copy_n(previous_cell, lanes * cells_, kept_cell);
    reset_rows(resets, lanes, cells_, cells_, kept_cell);

    LstmForwardStep step;
    step.rows = lanes;
    step.cells = cells_;
    step.bias = layer.bias.values.data();
    step.forget_offset = forget_offset_;
    step.gates = layer.gates.row(first);
    step.gates_stride = layer.gates.stride();
    step.previous_cell = kept_cell;
    step.cell = layer.cell.data() + first * cells_;
    step.output = layer.hidden.row(first);
    step.output_stride = layer.hidden.stride();
    step.cell_clip = cell_clip_;
    products_.multiply(layer.joined.rows(first, lanes), gate_weights_,
                       layer.gates.view(first, lanes));
    lstm_forward(step);

    float* output = layer.output.data() + first * projection_;
    if (projection != nullptr) {
      layer.hidden.round(first, lanes);
      products_.multiply(layer.hidden.rows(first, lanes), projection_weights_,
                         {output, lanes, projection_});
      clip(output, lanes * projection_, proj_clip_);
    } else {
      copy_rows({step.output, lanes, projection_, step.output_stride},
                {output, lanes, projection_});
    }
    previous_output = output;
    previous_cell = step.cell;
  }
  std::copy_n(previous_output, lanes * projection_, kept_output);
  std::copy_n(previous_cell, lanes * cells_, kept_state);
}

void LstmPass::backward(const TrainingBatch& batch, const StepOptions& options,
                        AlignedVector<float>& gradient, const GradientReady& ready) {
  drop(options, layers_.size(), batch.steps, gradient);
  for (std::size_t index = layers_.size(); index-- > 0;) {
    Layer& layer = layers_[index];
    backward_layer(batch, skip_ && index > 0, layer, gradient);
    if (ready) {
      ready(layer.weights);
      ready(layer.bias);
      if (layer.projection != nullptr) ready(*layer.projection);
    }
    drop(options, index, batch.steps, gradient);
  }
}

void LstmPass::backward_layer(const TrainingBatch& batch, bool skip, Layer& layer,
                              AlignedVector<float>& gradient) {
  const std::int64_t lanes = batch.lanes;
  const std::int64_t rows = batch.steps * lanes;
  std::fill_n(cell_gradient_.data(), lanes * cells_, 0.0F);
  std::fill_n(recurrent_gradient_.data(), lanes * projection_, 0.0F);
  Parameter* projection = layer.projection;
  gate_weights_.set(layer.weights.matrix().transposed());
  if (projection != nullptr) projection_weights_.set(projection->matrix().transposed());
  AlignedVector<float>& bias = gradients_.of(layer.bias);
  std::fill(bias.begin(), bias.end(), 0.0F);

  for (std::int64_t t = batch.steps; t-- > 0;) {
    const std::int64_t first = t * lanes;
    // So far the gradient with respect to the layer's outputs.
    float* inputs = gradient.data() + first * projection_;
    add(inputs, lanes * projection_, recurrent_gradient_.data());

    const float* hidden_gradient = backward_projection(first, lanes, layer);
    backward_gates(first, lanes, hidden_gradient, layer, bias.data());
    products_.multiply(layer.gates.rows(first, lanes), gate_weights_,
                       {joined_gradient_.data(), lanes, 2 * projection_});
    const float* joined = joined_gradient_.data();
    for (std::int64_t lane = 0; lane < lanes; ++lane, joined += 2 * projection_) {
      float* input = inputs + lane * projection_;
      if (skip) {
        add(joined, projection_, input);
      } else {
        std::copy_n(joined, projection_, input);
      }
    }
    copy_rows({joined_gradient_.data() + projection_, lanes, projection_, 2 * projection_},
              {recurrent_gradient_.data(), lanes, projection_});
    const std::uint8_t* resets = batch.resets.data() + first;
    reset_rows(resets, lanes, projection_, projection_, recurrent_gradient_.data());
    reset_rows(resets, lanes, cells_, cells_, cell_gradient_.data());
  }

  // One product over all steps.
  products_.weight_gradient(layer.joined.rows(0, rows), layer.gates.rows(0, rows),
                            {gradients_.of(layer.weights).data(), 2 * projection_, 4 * cells_});
  if (projection != nullptr) {
    products_.weight_gradient(layer.hidden.rows(0, rows), output_gradient_.rows(0, rows),
                              {gradients_.of(*projection).data(), cells_, projection_});
  }
}

const float* LstmPass::backward_projection(std::int64_t first, std::int64_t lanes,
                                           const Layer& layer) {
  if (layer.projection == nullptr) return recurrent_gradient_.data();
  // The gradient of an output that was clipped is zero.
  const float* clipped = layer.output.data() + first * projection_;
  const float* unclipped = recurrent_gradient_.data();
  const float bound = proj_clip_;
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    float* outputs = output_gradient_.row(first + lane);
    for (std::int64_t i = 0; i < projection_; ++i, ++clipped, ++unclipped) {
      outputs[i] = std::fabs(*clipped) >= bound ? 0.0F : *unclipped;
    }
  }
  output_gradient_.round(first, lanes);
  products_.multiply(output_gradient_.rows(first, lanes), projection_weights_,
                     {hidden_gradient_.data(), lanes, cells_});
  return hidden_gradient_.data();
}

void LstmPass::backward_gates(std::int64_t first, std::int64_t lanes, const float* hidden_gradient,
                              Layer& layer, float* bias_gradient) {
  for (std::int64_t lane = 0; lane < lanes; lane += kGroupLanes) {
    const std::int64_t row = first + lane;
    LstmBackwardStep step;
    step.rows = std::min(kGroupLanes, lanes - lane);
    step.cells = cells_;
    step.gates = layer.gates.row(row);
    step.gates_stride = layer.gates.stride();
    step.previous_cell = layer.previous_cell.data() + row * cells_;
    step.cell = layer.cell.data() + row * cells_;
    step.output_gradient = hidden_gradient + lane * cells_;
    step.cell_gradient = cell_gradient_.data() + lane * cells_;
    step.cell_clip = cell_clip_;
    lstm_backward(step);
    layer.gates.round(row, step.rows);
    add_column_sums(layer.gates.view(row, step.rows), bias_gradient);
  }
}

}  // namespace elmo

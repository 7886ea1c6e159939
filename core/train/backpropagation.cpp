#include "core/train/backpropagation.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.h"
#include "core/kernels/optimizer_kernels.h"
#include "core/train/encoder_pass.h"
#include "core/train/lstm_pass.h"
#include "core/train/softmax_pass.h"
#include "core/train/workers.h"

namespace elmo {

namespace {

template <typename T>
using Halves = std::array<T, Workers::kHalves>;

// Everything that one direction works in.
struct Direction {
  LstmPass lstm;
  SoftmaxPass softmax;
  AlignedVector<float> activations;     // [T·B, P], and their gradient
  AlignedVector<float> token_gradient;  // [types, P]
  SoftmaxGradient softmax_gradient;
  double loss = 0.0;
};

// Rows of the softmax that a batch touches.
std::vector<std::int32_t> touched_rows(const TrainingBatch& batch, const NegativeSample& sample) {
  std::vector<std::int32_t> rows = sample.ids;
  for (const std::vector<std::int32_t>& targets : batch.targets) {
    rows.insert(rows.end(), targets.begin(), targets.end());
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

void add_to(const AlignedVector<float>& from, AlignedVector<float>& to) {
  add(from.data(), static_cast<std::int64_t>(from.size()), to.data());
}

const ModelOptions& with_characters(const ModelOptions& model) {
  if (!model.char_cnn) {
    throw RequestError("a word-level model cannot be trained: options.json has no char_cnn");
  }
  return model;
}

}  // namespace

struct Backpropagation::Parts {
  Parts(const ModelOptions& options, std::span<const std::string> types, int threads)
      : model(with_characters(options)),
        workers(threads),
        encoders{EncoderPass(model, types), EncoderPass(model, types)},
        directions{Direction{LstmPass(model, 0), {}, {}, {}, {}, 0.0},
                   Direction{LstmPass(model, 1), {}, {}, {}, {}, 0.0}} {}

  void prepare(const Parameters& parameters, Gradients& gradients) {
    const std::size_t count = parameters.all().size();
    gradients.parameters.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      gradients.parameters[i].resize(parameters[i].values.size());
    }
    other_half.resize(count);
    for (const std::size_t i : parameters.index().char_cnn->all()) {
      other_half[i].resize(parameters[i].values.size());
    }
  }

  void gather(const TrainingBatch& batch, std::size_t direction) {
    const std::int64_t projection = model.lstm.projection_dim;
    const std::vector<std::int32_t>& inputs = batch.inputs[direction];
    AlignedVector<float>& to = directions[direction].activations;
    grow(to, static_cast<std::int64_t>(inputs.size()) * projection);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      std::copy_n(token_vectors.data() + inputs[i] * projection, projection,
                  to.data() + static_cast<std::int64_t>(i) * projection);
    }
  }

  void scatter(const TrainingBatch& batch, std::size_t direction) {
    const std::int64_t projection = model.lstm.projection_dim;
    const std::vector<std::int32_t>& inputs = batch.inputs[direction];
    Direction& part = directions[direction];
    part.token_gradient.assign(batch.types.size() * static_cast<std::size_t>(projection), 0.0F);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      add(part.activations.data() + static_cast<std::int64_t>(i) * projection, projection,
          part.token_gradient.data() + inputs[i] * projection);
    }
  }

  ModelOptions model;
  Workers workers;
  Halves<EncoderPass> encoders;  // each takes every other token
  Halves<Direction> directions;
  AlignedVector<float> token_vectors;            // [types, P]
  std::vector<AlignedVector<float>> other_half;  // the encoder's gradients of the second half
};

Backpropagation::Backpropagation(const ModelOptions& model, std::span<const std::string> types,
                                 int threads)
    : parts_(std::make_unique<Parts>(model, types, threads)) {}

Backpropagation::~Backpropagation() = default;

BatchLoss Backpropagation::run(const Parameters& parameters, const SoftmaxLayer& softmax,
                               const TrainingBatch& batch, const NegativeSampler& sampler,
                               const NegativeSample& sample, const StepOptions& options,
                               LaneStates& states, Gradients& gradients) {
  Parts& p = *parts_;
  const std::int64_t projection = p.model.lstm.projection_dim;
  const auto types = static_cast<std::int64_t>(batch.types.size());
  const auto predictions = static_cast<double>(batch.steps * batch.lanes);
  p.prepare(parameters, gradients);
  grow(p.token_vectors, types * projection);
  gradients.softmax.rows = touched_rows(batch, sample);

  p.workers.run([&](int half) {
    std::vector<std::int64_t> rows;
    for (std::int64_t row = half; row < types; row += Workers::kHalves) rows.push_back(row);
    p.encoders[static_cast<std::size_t>(half)].forward(parameters, batch.types, std::move(rows),
                                                       p.token_vectors.data());
  });

  p.workers.run([&](int half) {
    const auto direction = static_cast<std::size_t>(half);
    Direction& part = p.directions[direction];
    p.gather(batch, direction);
    part.lstm.forward(parameters, batch, options, states[direction], part.activations);
    part.softmax_gradient.rows = gradients.softmax.rows;
    part.loss = part.softmax.run(softmax, sampler, sample, batch.targets[direction],
                                 static_cast<float>(0.5 / predictions), part.activations,
                                 part.softmax_gradient);
    if (options.softmax_only) return;
    part.lstm.backward(parameters, batch, options, part.activations, gradients);
    p.scatter(batch, direction);
  });
  std::swap(gradients.softmax, p.directions[0].softmax_gradient);
  add_to(p.directions[1].softmax_gradient.weights, gradients.softmax.weights);
  add_to(p.directions[1].softmax_gradient.bias, gradients.softmax.bias);

  if (options.softmax_only) {
    for (AlignedVector<float>& values : gradients.parameters) {
      std::fill(values.begin(), values.end(), 0.0F);
    }
  } else {
    AlignedVector<float>& token_gradient = p.directions[0].token_gradient;
    add_to(p.directions[1].token_gradient, token_gradient);
    p.workers.run([&](int half) {
      p.encoders[static_cast<std::size_t>(half)].backward(
          parameters, token_gradient.data(), half == 0 ? gradients.parameters : p.other_half);
    });
    for (std::size_t i = 0; i < p.other_half.size(); ++i) {
      add_to(p.other_half[i], gradients.parameters[i]);
    }
  }
  return {p.directions[0].loss / predictions, p.directions[1].loss / predictions};
}

LaneStates zero_lane_states(const ModelOptions& model, std::int64_t lanes) {
  const auto outputs = static_cast<std::size_t>(lanes * model.lstm.projection_dim);
  const auto cells = static_cast<std::size_t>(lanes * model.lstm.dim);
  const LaneState zero{AlignedVector<float>(outputs, 0.0F), AlignedVector<float>(cells, 0.0F)};
  return LaneStates(2, std::vector<LaneState>(static_cast<std::size_t>(model.lstm.n_layers), zero));
}

}  // namespace elmo

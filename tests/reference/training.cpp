#include "tests/reference/training.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/kernels/random.h"
#include "core/train/bilm/lanes.h"

namespace elmo {
namespace {

/// [T, B, P]
using Vectors = std::vector<std::vector<std::vector<double>>>;

/// Applies the dropout mask of `place` in place.
void drop(const StepOptions& options, std::uint32_t place, Vectors& vectors) {
  if (options.dropout == 0.0F) return;
  std::size_t size = 0;
  for (const auto& lanes : vectors) {
    for (const auto& vector : lanes) size += vector.size();
  }
  std::vector<float> mask(size, 1.0F);
  DropoutKey key = options.dropout_key;
  key.mask_id = place;
  dropout(key, options.dropout, 0, mask.data(), static_cast<std::int64_t>(size), mask.data());
  std::size_t i = 0;
  for (auto& lanes : vectors) {
    for (auto& vector : lanes) {
      for (double& x : vector) x *= static_cast<double>(mask[i++]);
    }
  }
}

std::vector<std::vector<double>> encode_types(const ReferenceStep& step,
                                              const ReferenceParameters& parameters) {
  std::vector<std::vector<double>> vectors;
  if (!step.model.char_cnn) {
    const std::vector<double>& table = parameters.at("embedding");
    for (const std::uint32_t type : step.of.batch.types) {
      const auto begin = table.begin() + step.rows[type] * step.model.lstm.projection_dim;
      vectors.emplace_back(begin, begin + step.model.lstm.projection_dim);
    }
    return vectors;
  }
  const std::int64_t length = step.model.char_cnn->max_characters_per_token;
  for (const std::uint32_t type : step.of.batch.types) {
    const bool boundary = type == kBeginSentenceType || type == kEndSentenceType;
    vectors.push_back(
        reference_encode(step.model, parameters,
                         boundary ? reference_boundary_ids(type == kBeginSentenceType, length)
                                  : reference_char_ids(step.types[type - kFirstType], length)));
  }
  return vectors;
}

/// Returns −log p of `target` among the samples.
double cross_entropy(const NegativeSample& sample, const ReferenceSoftmax& softmax,
                     const std::vector<double>& h, std::int32_t target) {
  const std::size_t vocabulary = softmax.bias.size();
  const auto logit = [&](std::int32_t id) {
    const auto row = static_cast<std::size_t>(id);
    double sum = softmax.bias[row];
    for (std::size_t p = 0; p < h.size(); ++p) sum += h[p] * softmax.weights[row * h.size() + p];
    if (sample.ids.size() < vocabulary) {
      const double probability =
          std::log((id + 2.0) / (id + 1.0)) / std::log(static_cast<double>(vocabulary) + 1.0);
      sum -= std::log(1.0 - std::pow(1.0 - probability, static_cast<double>(sample.draws)));
    }
    return sum;
  };
  std::vector<double> logits{logit(target)};
  for (const std::int32_t id : sample.ids) {
    if (id != target) logits.push_back(logit(id));
  }
  const double largest = *std::max_element(logits.begin(), logits.end());
  double sum = 0.0;
  for (const double x : logits) sum += std::exp(x - largest);
  return largest + std::log(sum) - logits[0];
}

double direction_loss(const ReferenceStep& step, const ReferenceParameters& parameters,
                      const ReferenceSoftmax& softmax,
                      const std::vector<std::vector<double>>& types, int direction,
                      std::vector<ReferenceState>& states) {
  const TrainingBatch& batch = step.of.batch;
  const auto steps = static_cast<std::size_t>(batch.steps);
  const auto lanes = static_cast<std::size_t>(batch.lanes);
  const auto side = static_cast<std::size_t>(direction);
  const auto first_place = static_cast<std::uint32_t>(direction) * 1024;
  const auto layers = static_cast<std::uint32_t>(step.model.lstm.n_layers);

  Vectors x(steps, std::vector<std::vector<double>>(lanes));
  for (std::size_t t = 0; t < steps; ++t) {
    for (std::size_t b = 0; b < lanes; ++b) {
      x[t][b] = types[static_cast<std::size_t>(batch.inputs[side][t * lanes + b])];
    }
  }
  const ReferenceState zero = reference_zero_state(step.model.lstm);
  for (std::uint32_t layer = 0; layer < layers; ++layer) {
    drop(step.of.options, first_place + layer, x);
    for (std::size_t t = 0; t < steps; ++t) {
      for (std::size_t b = 0; b < lanes; ++b) {
        ReferenceCellState& state = states[b][side][layer];
        if (batch.resets[t * lanes + b] != 0) state = zero[side][layer];
        x[t][b] =
            reference_lstm_step(step.model.lstm, parameters, direction, layer, x[t][b], state);
      }
    }
  }
  drop(step.of.options, first_place + layers, x);

  double loss = 0.0;
  for (std::size_t t = 0; t < steps; ++t) {
    for (std::size_t b = 0; b < lanes; ++b) {
      loss += cross_entropy(step.of.sample, softmax, x[t][b], batch.targets[side][t * lanes + b]);
    }
  }
  return loss / static_cast<double>(steps * lanes);
}

}  // namespace

BatchLoss reference_loss(const ReferenceStep& step, const ReferenceParameters& parameters,
                         const ReferenceSoftmax& softmax, std::vector<ReferenceState>& states) {
  const std::vector<std::vector<double>> types = encode_types(step, parameters);
  return {direction_loss(step, parameters, softmax, types, 0, states),
          direction_loss(step, parameters, softmax, types, 1, states)};
}

}  // namespace elmo

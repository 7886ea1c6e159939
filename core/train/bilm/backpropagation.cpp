#include "core/train/bilm/backpropagation.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/kernels/optimizer_kernels.h"

namespace elmo {

void DirectionPass::take_lanes(const TrainingBatch& batch) {
  const auto width = static_cast<std::size_t>(share_.lanes.count);
  lanes_.steps = batch.steps;
  lanes_.lanes = share_.lanes.count;
  const auto take = [&](const auto& from, auto& to) {
    to.resize(static_cast<std::size_t>(batch.steps) * width);
    for (std::int64_t t = 0; t < batch.steps; ++t) {
      std::copy_n(from.begin() + t * batch.lanes + share_.first, width,
                  to.begin() + t * share_.lanes.count);
    }
  };
  take(batch.inputs[share_.direction], lanes_.inputs[share_.direction]);
  take(batch.targets[share_.direction], lanes_.targets[share_.direction]);
  take(batch.resets, lanes_.resets);
}

void DirectionPass::run(const TrainingStep& step, const AlignedVector<float>& token_vectors,
                        LstmState& state, const GradientReady& ready) {
  take_lanes(step.batch);
  const std::vector<std::int32_t>& inputs = lanes_.inputs[share_.direction];
  grow(activations_, static_cast<std::int64_t>(inputs.size()) * projection_);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    std::copy_n(token_vectors.data() + inputs[i] * projection_, projection_,
                activations_.data() + static_cast<std::int64_t>(i) * projection_);
  }
  lstm_.forward(lanes_, step.options, state, activations_);
  // The loss is the mean over both directions.
  const auto scale = static_cast<float>(0.5 / static_cast<double>(step.predictions(share_.lanes)));
  loss_ = softmax_.run(step.sample, lanes_.targets[share_.direction], scale, activations_);
  if (step.options.softmax_only) return;
  lstm_.backward(lanes_, step.options, activations_, ready);
  token_gradient_.assign(step.batch.types.size() * static_cast<std::size_t>(projection_), 0.0F);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    add(activations_.data() + static_cast<std::int64_t>(i) * projection_, projection_,
        token_gradient_.data() + inputs[i] * projection_);
  }
}

namespace {

// Minimum number of lanes of a share: products of few rows are slow.
constexpr std::int64_t kMinLanes = 16;

/// Shares of the lanes of both directions, at least one per direction. With one or two threads
/// there is one share per direction, so sums over shares have the same order.
std::vector<LaneShare> lane_shares(const LaneRange& lanes, int threads) {
  const std::int64_t parts =
      std::clamp<std::int64_t>(threads / 2, 1, std::max<std::int64_t>(1, lanes.count / kMinLanes));
  std::vector<LaneShare> shares;
  for (std::int64_t part = 0; part < parts; ++part) {
    const std::int64_t first = part * lanes.count / parts;
    const std::int64_t count = (part + 1) * lanes.count / parts - first;
    for (const std::size_t direction : {0U, 1U}) {
      shares.push_back({direction, first, {lanes.first + first, count, lanes.all}});
    }
  }
  return shares;
}

// Rows of the softmax that the step touches, in this batch or in other lanes.
std::vector<std::int32_t> touched_rows(const TrainingStep& step) {
  std::vector<std::int32_t> rows = step.sample.ids;
  rows.insert(rows.end(), step.batch.elsewhere.begin(), step.batch.elsewhere.end());
  for (const std::vector<std::int32_t>& targets : step.batch.targets) {
    rows.insert(rows.end(), targets.begin(), targets.end());
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

}  // namespace

Backpropagation::Backpropagation(TrainedBilm& model, const Corpus& corpus, const LaneRange& lanes,
                                 int threads, Precision precision)
    : Backpropagation(model, corpus, lanes, lane_shares(lanes, threads), threads, precision) {}

Backpropagation::Backpropagation(TrainedBilm& model, const Corpus& corpus, const LaneRange& lanes,
                                 const std::vector<LaneShare>& shares, int threads,
                                 Precision precision)
    : model_(model),
      lanes_(lanes),
      workers_(std::min(threads, static_cast<int>(shares.size())),
               std::max(1, threads / static_cast<int>(shares.size()))) {
  for (const LaneShare& share : shares) {
    if (model.options.char_cnn) {
      encoders_.emplace_back(model, corpus.types, share.is_first(), precision);
    }
    directions_.emplace_back(model, share, precision);
  }
  if (!model.options.char_cnn) words_.emplace(model, corpus.rows);
}

BatchLoss Backpropagation::run(const TrainingStep& step, LaneStates& states,
                               const GradientReady& ready) {
  model_.softmax.weights.touched = touched_rows(step);
  model_.softmax.bias.touched = model_.softmax.weights.touched;
  encode(step.batch);
  // If several shares compute a direction, its gradients are not final yet.
  const bool is_final = directions_.size() == 2;
  workers_.run(directions_.size(), [&](std::size_t share) {
    DirectionPass& direction = directions_[share];
    direction.run(step, token_vectors_, states[direction.share().direction],
                  is_final ? ready : GradientReady{});
  });
  double loss[2] = {0.0, 0.0};
  for (const DirectionPass& direction : directions_) {
    loss[direction.share().direction] += direction.loss();
  }
  sum_softmax(ready);
  if (step.options.softmax_only) {
    clear_bilm();
  } else {
    if (!is_final) sum_lstms(ready);
    encode_backward(step.batch, ready);
  }
  const auto predictions = static_cast<double>(step.predictions(lanes_));
  return {loss[0] / predictions, loss[1] / predictions};
}

// Computes the vectors of the batch's distinct tokens.
void Backpropagation::encode(const TrainingBatch& batch) {
  const auto types = static_cast<std::int64_t>(batch.types.size());
  grow(token_vectors_, types * model_.options.lstm.projection_dim);
  if (words_) return words_->forward(batch, token_vectors_.data());
  workers_.run(encoders_.size(), [&](std::size_t share) {
    std::vector<std::int64_t> rows;
    for (auto row = static_cast<std::int64_t>(share); row < types;
         row += static_cast<std::int64_t>(encoders_.size())) {
      rows.push_back(row);
    }
    encoders_[share].forward(batch.types, std::move(rows), token_vectors_.data());
  });
}

void Backpropagation::sum_softmax(const GradientReady& ready) {
  std::vector<const GradientShare*> shares;
  for (const DirectionPass& direction : directions_) {
    shares.push_back(&direction.softmax_gradients());
  }
  sum({&model_.softmax.weights, &model_.softmax.bias}, shares, ready);
}

void Backpropagation::sum_lstms(const GradientReady& ready) {
  std::vector<const GradientShare*> shares;
  for (const DirectionPass& direction : directions_) shares.push_back(&direction.lstm_gradients());
  sum(parameters_between(model_.parameters.index().encoder_size(), model_.parameters.all().size()),
      shares, ready);
}

// Backpropagates the gradients of the token vectors to the token encoder.
void Backpropagation::encode_backward(const TrainingBatch& batch, const GradientReady& ready) {
  AlignedVector<float>& token_gradient = directions_[0].token_gradient();
  for (std::size_t share = 1; share < directions_.size(); ++share) {
    const AlignedVector<float>& part = directions_[share].token_gradient();
    add(part.data(), static_cast<std::int64_t>(part.size()), token_gradient.data());
  }
  if (words_) {
    words_->backward(batch, token_gradient.data());
    if (ready) ready(words_->table());
    return;
  }
  workers_.run(encoders_.size(),
               [&](std::size_t share) { encoders_[share].backward(token_gradient.data()); });
  std::vector<const GradientShare*> shares;
  for (const EncoderPass& pass : encoders_) shares.push_back(&pass.gradients());
  sum(parameters_between(0, model_.parameters.index().encoder_size()), shares, ready);
}

// Returns the biLM's parameters `first` … `last` − 1.
std::vector<Parameter*> Backpropagation::parameters_between(std::size_t first, std::size_t last) {
  std::vector<Parameter*> list;
  for (std::size_t i = first; i < last; ++i) list.push_back(&model_.parameters[i]);
  return list;
}

// Sums the shares of each parameter's gradient, then reports it to `ready` as final.
void Backpropagation::sum(const std::vector<Parameter*>& parameters,
                          const std::vector<const GradientShare*>& shares,
                          const GradientReady& ready) {
  sum_shares(parameters, shares, workers_);
  if (!ready) return;
  for (const Parameter* parameter : parameters) ready(*parameter);
}

// Zeroes the gradients of the frozen biLM. The touched rows of a word table stay the same.
void Backpropagation::clear_bilm() {
  for (Parameter& parameter : model_.parameters.all()) {
    parameter.gradient.assign(parameter.gradient_size(), 0.0F);
  }
}

}  // namespace elmo

#include "core/train/bilm/direction_pass.h"

#include <algorithm>

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
                        std::vector<LaneState>& states, const GradientReady& ready) {
  take_lanes(step.batch);
  const std::vector<std::int32_t>& inputs = lanes_.inputs[share_.direction];
  grow(activations_, static_cast<std::int64_t>(inputs.size()) * projection_);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    std::copy_n(token_vectors.data() + inputs[i] * projection_, projection_,
                activations_.data() + static_cast<std::int64_t>(i) * projection_);
  }
  lstm_.forward(lanes_, step.options, states, activations_);
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

}  // namespace elmo

#include "core/inference/full_softmax.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "core/error.h"
#include "core/kernels/softmax.h"

namespace elmo {

void require_plausible_logit(float logit) {
  // Beyond it, float32 has no fractions.
  constexpr float kMaxLogit = 1U << 24U;
  if (std::abs(logit) <= kMaxLogit) return;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g", double{logit});
  throw NumericError(std::string("the softmax gives a word the logit ") + text.data() +
                     "; expected at most 16777216; its weights are damaged, or belong to another "
                     "model");
}

FullSoftmax::FullSoftmax(const SoftmaxLayer& softmax, std::int64_t width) : softmax_(softmax) {
  if (softmax.width() != width) {
    throw InputError("the softmax has " + std::to_string(softmax.width()) +
                     " weights a word, but the model's activations have " + std::to_string(width) +
                     " numbers; take the softmax that was trained with this model");
  }
  const std::int64_t words = softmax.vocabulary.size();
  WeightMemory memory;
  AlignedVector<float> transposed(static_cast<std::size_t>(width * kTileWords));
  for (std::int64_t first = 0; first < words; first += kTileWords) {
    const std::int64_t count = std::min(kTileWords, words - first);
    for (std::int64_t word = 0; word < count; ++word) {
      const float* row = softmax.weights.values.data() + (first + word) * width;
      for (std::int64_t k = 0; k < width; ++k) {
        transposed[static_cast<std::size_t>(k * kTileWords + word)] = row[k];
      }
    }
    tiles_.emplace_back(transposed.data(), width, count, kTileWords, Precision::float32, memory);
  }
}

void FullSoftmax::for_each_tile(std::span<const float* const> contexts, Workspace& workspace,
                                const std::function<void(const Tile& tile)>& each) const {
  const std::int64_t width = softmax_.width();
  grow(workspace.contexts, static_cast<std::int64_t>(kBlockContexts) * width);
  grow(workspace.logits, static_cast<std::int64_t>(kBlockContexts) * kTileWords);
  float* to = workspace.contexts.data();
  for (const float* context : contexts) to = std::copy_n(context, width, to);
  std::int64_t first = 0;
  for (const PackedMatrix& tile : tiles_) {
    workspace.gemm.multiply(workspace.contexts.data(), tile, workspace.logits.data(),
                            static_cast<std::int64_t>(contexts.size()), false);
    each({first, tile.columns(), workspace.logits.data(), softmax_.bias.values.data() + first});
    first += tile.columns();
  }
}

void FullSoftmax::log_probabilities(std::span<const float* const> contexts,
                                    std::span<const SoftmaxTarget> targets, double* results,
                                    Workspace& workspace) const {
  workspace.maximum.assign(contexts.size(), -std::numeric_limits<float>::infinity());
  workspace.sum.assign(contexts.size(), 0.0);
  workspace.targets.resize(targets.size());
  for_each_tile(contexts, workspace, [&](const Tile& tile) {
    accumulate_exponentials(tile.products, static_cast<std::int64_t>(contexts.size()), tile.words,
                            tile.words, tile.bias, workspace.maximum.data(), workspace.sum.data());
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const std::int64_t column = targets[i].word - tile.first;
      if (column < 0 || column >= tile.words) continue;
      workspace.targets[i] =
          tile.products[targets[i].context * tile.words + column] + tile.bias[column];
    }
  });
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const float largest = workspace.maximum[targets[i].context];
    require_plausible_logit(largest);
    require_plausible_logit(workspace.targets[i]);
    // In this order: the logarithm would be lost beside a large logit.
    results[targets[i].result] = (double{workspace.targets[i]} - double{largest}) -
                                 std::log(workspace.sum[targets[i].context]);
  }
}

}  // namespace elmo

#include "core/train/bilm/softmax_pass.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/kernels/optimizer_kernels.h"
#include "core/kernels/random.h"
#include "core/kernels/softmax.h"

namespace elmo {

NegativeSample draw_negatives(std::int64_t vocabulary, std::int64_t samples, std::uint64_t seed,
                              std::uint64_t step) {
  NegativeSample sample;
  sample.vocabulary = vocabulary;
  if (samples == vocabulary) {
    sample.ids.resize(static_cast<std::size_t>(samples));
    std::iota(sample.ids.begin(), sample.ids.end(), 0);
    sample.draws = static_cast<std::uint64_t>(samples);
    return sample;
  }

  // A bitmap with one bit per row makes draws distinct and lists them in order.
  constexpr std::size_t kBits = 64;
  std::vector<std::uint64_t> drawn(static_cast<std::size_t>(vocabulary) / kBits + 1);
  const std::uint64_t key = random_key(seed, RandomUse::negatives, step);
  const double log_range = std::log1p(static_cast<double>(vocabulary));
  for (std::int64_t distinct = 0; distinct < samples; ++sample.draws) {
    // Inverse of P's distribution function log(k + 1) / log(V + 1), at a number in [0, 1).
    const double uniform = static_cast<double>(random_bits(key, sample.draws) >> 11U) * 0x1p-53;
    const auto row = static_cast<std::size_t>(
        std::min(static_cast<std::int64_t>(std::exp(uniform * log_range)) - 1, vocabulary - 1));
    const std::uint64_t bit = std::uint64_t{1} << (row % kBits);
    if ((drawn[row / kBits] & bit) != 0) continue;
    drawn[row / kBits] |= bit;
    ++distinct;
  }

  sample.ids.reserve(static_cast<std::size_t>(samples));
  for (std::size_t word = 0; word < drawn.size(); ++word) {
    for (std::uint64_t bits = drawn[word]; bits != 0; bits &= bits - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(bits));
      sample.ids.push_back(static_cast<std::int32_t>(word * kBits + bit));
    }
  }
  return sample;
}

float NegativeSample::log_expected_count(std::int32_t id) const {
  if (static_cast<std::int64_t>(ids.size()) == vocabulary) return 0.0F;
  const double probability = std::log1p(1.0 / (static_cast<double>(id) + 1.0)) /
                             std::log1p(static_cast<double>(vocabulary));
  return static_cast<float>(
      std::log(-std::expm1(static_cast<double>(draws) * std::log1p(-probability))));
}

namespace {

// Rows whose logits are computed together: enough for the products to run at full speed, few enough
// to save memory.
constexpr std::int64_t kGroupRows = 256;

// Rows of a group that are processed together, so that they stay in the L2 cache.
constexpr std::int64_t kCachedRows = 8;

// Samples are padded to a multiple of this with samples of probability 0: bfloat16 products whose
// rows do not end at a cache line are several times slower.
constexpr std::int64_t kColumns = 16;
constexpr std::int32_t kNoId = std::numeric_limits<std::int32_t>::max();
constexpr float kImpossible = -std::numeric_limits<float>::infinity();

std::int64_t index_of(const std::vector<std::int32_t>& rows, std::int32_t row) {
  return std::lower_bound(rows.begin(), rows.end(), row) - rows.begin();
}

}  // namespace

double SoftmaxPass::run(const NegativeSample& sample, std::span<const std::int32_t> targets,
                        float scale, AlignedVector<float>& activations) {
  const auto rows = static_cast<std::int64_t>(targets.size());
  const auto drawn = static_cast<std::int64_t>(sample.ids.size());
  const std::int64_t samples = (drawn + kColumns - 1) / kColumns * kColumns;
  const std::int64_t projection = softmax_.width();
  const float* all_weights = softmax_.weights.values.data();
  const float* all_biases = softmax_.bias.values.data();
  const std::vector<std::int32_t>& touched = *softmax_.weights.touched;
  AlignedVector<float>& touched_weights = gradients_.of(softmax_.weights);
  AlignedVector<float>& touched_biases = gradients_.of(softmax_.bias);
  grow(weights_, samples * projection);
  grow(offsets_, samples);
  grow(weight_gradient_, samples * projection);
  grow(bias_gradient_, samples);
  logits_.resize(kGroupRows, samples, products_.precision());
  grow(target_logits_, kGroupRows);
  inputs_.resize(kGroupRows, projection, products_.precision());
  ids_ = sample.ids;
  ids_.resize(static_cast<std::size_t>(samples), kNoId);
  std::fill_n(weights_.data() + drawn * projection, (samples - drawn) * projection, 0.0F);
  std::fill_n(offsets_.data() + drawn, samples - drawn, kImpossible);
  for (std::int64_t s = 0; s < drawn; ++s) {
    const std::int32_t id = sample.ids[static_cast<std::size_t>(s)];
    std::copy_n(all_weights + id * projection, projection, weights_.data() + s * projection);
    offsets_[static_cast<std::size_t>(s)] = all_biases[id] - sample.log_expected_count(id);
  }
  const ConstFloatView sampled(weights_.data(), samples, projection);
  logit_weights_.set(sampled.transposed());
  input_weights_.set(sampled);
  std::fill_n(weight_gradient_.data(), samples * projection, 0.0F);
  std::fill_n(bias_gradient_.data(), samples, 0.0F);
  std::fill(touched_weights.begin(), touched_weights.end(), 0.0F);
  std::fill(touched_biases.begin(), touched_biases.end(), 0.0F);

  double loss = 0.0;
  for (std::int64_t first = 0; first < rows; first += kGroupRows) {
    const std::int64_t count = std::min(kGroupRows, rows - first);
    const std::int32_t* group = targets.data() + first;
    float* h = activations.data() + first * projection;
    copy_rows({h, count, projection}, inputs_.view(0, count));
    inputs_.round(0, count);
    for (std::int64_t r = 0; r < count; ++r) {
      const float* input = inputs_.row(r);
      const float* weights = all_weights + group[r] * projection;
      target_logits_[static_cast<std::size_t>(r)] =
          std::inner_product(input, input + projection, weights, all_biases[group[r]]) -
          sample.log_expected_count(group[r]);
    }
    const Operand::Rows inputs = inputs_.rows(0, count);
    const Operand::Rows logits = logits_.rows(0, count);
    products_.multiply(inputs, logit_weights_, logits_.view(0, count));
    for (std::int64_t r = 0; r < count; r += kCachedRows) {
      SampledCrossEntropy task;
      task.rows = std::min(kCachedRows, count - r);
      task.samples = samples;
      task.logits = logits_.row(r);
      task.stride = logits_.stride();
      task.sample_offsets = offsets_.data();
      task.sample_ids = ids_.data();
      task.target_logits = target_logits_.data() + r;
      task.target_ids = group + r;
      task.scale = scale;
      loss += sampled_cross_entropy(task);
      logits_.round(r, task.rows);
      add_column_sums(logits_.view(r, task.rows), bias_gradient_.data());
    }
    products_.multiply(logits, input_weights_, {h, count, projection});
    products_.weight_gradient(logits, inputs, {weight_gradient_.data(), samples, projection},
                              Beta::one);
    for (std::int64_t r = 0; r < count; ++r) {
      const float g = target_logits_[static_cast<std::size_t>(r)];
      const float* input = inputs_.row(r);
      const float* weights = all_weights + group[r] * projection;
      const std::int64_t index = index_of(touched, group[r]);
      float* row = touched_weights.data() + index * projection;
      for (std::int64_t p = 0; p < projection; ++p) {
        h[r * projection + p] += g * weights[p];
        row[p] += g * input[p];
      }
      touched_biases[static_cast<std::size_t>(index)] += g;
    }
  }
  for (std::int64_t s = 0; s < drawn; ++s) {
    const std::int64_t index = index_of(touched, sample.ids[static_cast<std::size_t>(s)]);
    add(weight_gradient_.data() + s * projection, projection,
        touched_weights.data() + index * projection);
    touched_biases[static_cast<std::size_t>(index)] += bias_gradient_[static_cast<std::size_t>(s)];
  }
  return loss;
}

}  // namespace elmo

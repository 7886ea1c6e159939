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

void SoftmaxPass::set_sample(const NegativeSample& sample) {
  const auto drawn = static_cast<std::int64_t>(sample.ids.size());
  const std::int64_t projection = softmax_.width();
  ids_ = sample.ids;
  ids_.resize(static_cast<std::size_t>((drawn + kColumns - 1) / kColumns * kColumns), kNoId);
  grow(weights_, samples() * projection);
  grow(offsets_, samples());
  for (std::int64_t s = 0; s < drawn; ++s) {
    const std::int32_t id = sample.ids[static_cast<std::size_t>(s)];
    std::copy_n(softmax_.weights.values.data() + id * projection, projection,
                weights_.data() + s * projection);
    offsets_[static_cast<std::size_t>(s)] =
        softmax_.bias.values[static_cast<std::size_t>(id)] - sample.log_expected_count(id);
  }
  std::fill_n(weights_.data() + drawn * projection, (samples() - drawn) * projection, 0.0F);
  std::fill_n(offsets_.data() + drawn, samples() - drawn, kImpossible);
  const ConstFloatView sampled(weights_.data(), samples(), projection);
  logit_weights_.set(sampled.transposed());
  input_weights_.set(sampled);

  grow(weight_gradient_, samples() * projection);
  grow(bias_gradient_, samples());
  std::fill_n(weight_gradient_.data(), samples() * projection, 0.0F);
  std::fill_n(bias_gradient_.data(), samples(), 0.0F);
  for (Parameter* parameter : {&softmax_.weights, &softmax_.bias}) {
    std::ranges::fill(gradients_.of(*parameter), 0.0F);
  }
}

void SoftmaxPass::run_group(const NegativeSample& sample, std::span<const std::int32_t> targets,
                            float scale, float* h, double& loss) {
  const auto count = static_cast<std::int64_t>(targets.size());
  const std::int64_t projection = softmax_.width();
  copy_rows({h, count, projection}, inputs_.view(0, count));
  inputs_.round(0, count);
  for (std::int64_t r = 0; r < count; ++r) {
    const std::int32_t target = targets[static_cast<std::size_t>(r)];
    const float* input = inputs_.row(r);
    target_logits_[static_cast<std::size_t>(r)] =
        std::inner_product(input, input + projection,
                           softmax_.weights.values.data() + target * projection,
                           softmax_.bias.values[static_cast<std::size_t>(target)]) -
        sample.log_expected_count(target);
  }
  const Operand::Rows inputs = inputs_.rows(0, count);
  const Operand::Rows logits = logits_.rows(0, count);
  products_.multiply(inputs, logit_weights_, logits_.view(0, count));
  for (std::int64_t r = 0; r < count; r += kCachedRows) {
    SampledCrossEntropy task;
    task.rows = std::min(kCachedRows, count - r);
    task.samples = samples();
    task.logits = logits_.row(r);
    task.stride = logits_.stride();
    task.sample_offsets = offsets_.data();
    task.sample_ids = ids_.data();
    task.target_logits = target_logits_.data() + r;
    task.target_ids = targets.data() + r;
    task.scale = scale;
    loss += sampled_cross_entropy(task);
    logits_.round(r, task.rows);
    add_column_sums(logits_.view(r, task.rows), bias_gradient_.data());
  }
  products_.multiply(logits, input_weights_, {h, count, projection});
  products_.weight_gradient(logits, inputs, {weight_gradient_.data(), samples(), projection},
                            Beta::one);
  add_target_gradients(targets, h);
}

void SoftmaxPass::add_target_gradients(std::span<const std::int32_t> targets, float* h) {
  const std::int64_t projection = softmax_.width();
  const std::vector<std::int32_t>& touched = *softmax_.weights.touched;
  AlignedVector<float>& touched_weights = gradients_.of(softmax_.weights);
  AlignedVector<float>& touched_biases = gradients_.of(softmax_.bias);
  for (std::size_t r = 0; r < targets.size(); ++r, h += projection) {
    const float g = target_logits_[r];
    const float* input = inputs_.row(static_cast<std::int64_t>(r));
    const float* weights = softmax_.weights.values.data() + targets[r] * projection;
    const std::int64_t index = index_of(touched, targets[r]);
    float* row = touched_weights.data() + index * projection;
    for (std::int64_t p = 0; p < projection; ++p) {
      h[p] += g * weights[p];
      row[p] += g * input[p];
    }
    touched_biases[static_cast<std::size_t>(index)] += g;
  }
}

void SoftmaxPass::add_sample_gradients(const NegativeSample& sample) {
  const std::int64_t projection = softmax_.width();
  const std::vector<std::int32_t>& touched = *softmax_.weights.touched;
  AlignedVector<float>& touched_weights = gradients_.of(softmax_.weights);
  AlignedVector<float>& touched_biases = gradients_.of(softmax_.bias);
  for (std::size_t s = 0; s < sample.ids.size(); ++s) {
    const std::int64_t index = index_of(touched, sample.ids[s]);
    add(weight_gradient_.data() + static_cast<std::int64_t>(s) * projection, projection,
        touched_weights.data() + index * projection);
    touched_biases[static_cast<std::size_t>(index)] += bias_gradient_[s];
  }
}

double SoftmaxPass::run(const NegativeSample& sample, std::span<const std::int32_t> targets,
                        float scale, AlignedVector<float>& activations) {
  set_sample(sample);
  logits_.resize(kGroupRows, samples(), products_.precision());
  inputs_.resize(kGroupRows, softmax_.width(), products_.precision());
  grow(target_logits_, kGroupRows);
  double loss = 0.0;
  for (std::size_t first = 0; first < targets.size(); first += kGroupRows) {
    const auto group =
        targets.subspan(first, std::min<std::size_t>(kGroupRows, targets.size() - first));
    run_group(sample, group, scale,
              activations.data() + static_cast<std::int64_t>(first) * softmax_.width(), loss);
  }
  add_sample_gradients(sample);
  return loss;
}

}  // namespace elmo

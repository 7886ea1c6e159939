#include "core/train/softmax_pass.h"

#include <algorithm>
#include <numeric>

#include "core/kernels/optimizer_kernels.h"
#include "core/kernels/softmax.h"

namespace elmo {

namespace {

// Rows whose logits are computed together: enough for the products to run at full speed, few enough
// for the memory.
constexpr std::int64_t kGroupRows = 256;

std::int64_t index_of(const std::vector<std::int32_t>& rows, std::int32_t row) {
  return std::lower_bound(rows.begin(), rows.end(), row) - rows.begin();
}

}  // namespace

double SoftmaxPass::run(const SoftmaxLayer& softmax, const NegativeSampler& sampler,
                        const NegativeSample& sample, std::span<const std::int32_t> targets,
                        float scale, AlignedVector<float>& activations, SoftmaxGradient& gradient) {
  const auto rows = static_cast<std::int64_t>(targets.size());
  const auto samples = static_cast<std::int64_t>(sample.ids.size());
  const auto projection = static_cast<std::int64_t>(softmax.weights.size() / softmax.bias.size());
  grow(weights_, samples * projection);
  grow(offsets_, samples);
  grow(weight_gradient_, samples * projection);
  grow(bias_gradient_, samples);
  grow(logits_, kGroupRows * samples);
  grow(target_logits_, kGroupRows);
  grow(inputs_, kGroupRows * projection);
  for (std::int64_t s = 0; s < samples; ++s) {
    const std::int32_t id = sample.ids[static_cast<std::size_t>(s)];
    std::copy_n(softmax.weights.data() + id * projection, projection,
                weights_.data() + s * projection);
    offsets_[static_cast<std::size_t>(s)] =
        softmax.bias[static_cast<std::size_t>(id)] - sampler.log_expected_count(id, sample.draws);
  }
  step_weights_.set(weights_.data(), samples, projection, products_.precision());
  std::fill_n(weight_gradient_.data(), samples * projection, 0.0F);
  std::fill_n(bias_gradient_.data(), samples, 0.0F);
  gradient.weights.assign(gradient.rows.size() * static_cast<std::size_t>(projection), 0.0F);
  gradient.bias.assign(gradient.rows.size(), 0.0F);

  double loss = 0.0;
  for (std::int64_t first = 0; first < rows; first += kGroupRows) {
    const std::int64_t count = std::min(kGroupRows, rows - first);
    const std::int32_t* group = targets.data() + first;
    float* h = activations.data() + first * projection;
    std::copy_n(h, count * projection, inputs_.data());
    for (std::int64_t r = 0; r < count; ++r) {
      const float* input = inputs_.data() + r * projection;
      const float* weights = softmax.weights.data() + group[r] * projection;
      target_logits_[static_cast<std::size_t>(r)] =
          std::inner_product(input, input + projection, weights,
                             softmax.bias[static_cast<std::size_t>(group[r])]) -
          sampler.log_expected_count(group[r], sample.draws);
    }
    products_.multiply_transposed({inputs_.data(), projection}, step_weights_, count,
                                  logits_.data(), Result::replaced);

    SampledCrossEntropy task;
    task.rows = count;
    task.samples = samples;
    task.logits = logits_.data();
    task.sample_offsets = offsets_.data();
    task.sample_ids = sample.ids.data();
    task.target_logits = target_logits_.data();
    task.target_ids = group;
    task.scale = scale;
    loss += sampled_cross_entropy(task);

    products_.multiply({logits_.data(), samples}, step_weights_, count, h, Result::replaced);
    products_.multiply({logits_.data(), samples, true}, {inputs_.data(), projection}, samples,
                       projection, count, weight_gradient_.data(), projection, Result::added);
    add_column_sums(logits_.data(), count, samples, bias_gradient_.data());
    for (std::int64_t r = 0; r < count; ++r) {
      const float g = target_logits_[static_cast<std::size_t>(r)];
      const float* input = inputs_.data() + r * projection;
      const float* weights = softmax.weights.data() + group[r] * projection;
      const std::int64_t place = index_of(gradient.rows, group[r]);
      float* row = gradient.weights.data() + place * projection;
      for (std::int64_t p = 0; p < projection; ++p) {
        h[r * projection + p] += g * weights[p];
        row[p] += g * input[p];
      }
      gradient.bias[static_cast<std::size_t>(place)] += g;
    }
  }
  for (std::int64_t s = 0; s < samples; ++s) {
    const std::int64_t place = index_of(gradient.rows, sample.ids[static_cast<std::size_t>(s)]);
    add(weight_gradient_.data() + s * projection, projection,
        gradient.weights.data() + place * projection);
    gradient.bias[static_cast<std::size_t>(place)] += bias_gradient_[static_cast<std::size_t>(s)];
  }
  return loss;
}

}  // namespace elmo

#include "core/train/optimizer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/kernels/optimizer_kernels.h"

namespace elmo {
namespace {

// Numbers that a worker takes at a time: enough to make up for taking them.
constexpr std::size_t kBlock = std::size_t{1} << 16;

}  // namespace

std::size_t ParameterGroup::row_size() const {
  return shape.empty() || shape[0] == 0 ? 0 : values.size() / static_cast<std::size_t>(shape[0]);
}

std::vector<ParameterGroup> parameter_groups(Parameters& parameters) {
  std::vector<ParameterGroup> groups;
  for (ModelParameter& parameter : parameters.all()) {
    const ParameterSpec& spec = parameter.spec;
    groups.push_back({spec.name, spec.shape, parameter.values, spec.shape.size() > 1, 0});
  }
  return groups;
}

std::vector<ParameterGroup> parameter_groups(SoftmaxLayer& softmax) {
  const auto words = static_cast<std::int64_t>(softmax.bias.size());
  const auto size = static_cast<std::int64_t>(softmax.weights.size());
  return {{"softmax/W", {words, size / words}, softmax.weights, true, 0},
          {"softmax/b", {words}, softmax.bias, false, 0}};
}

double global_norm(std::span<const GroupGradient> gradients) {
  double sum = 0.0;
  for (const GroupGradient& gradient : gradients) {
    sum += squared_norm(gradient.values.data(), static_cast<std::int64_t>(gradient.values.size()));
  }
  return std::sqrt(sum);
}

GroupOptimizer::GroupOptimizer(const OptimizerOptions& options, std::vector<ParameterGroup> groups)
    : options_(options), groups_(std::move(groups)) {
  for (const ParameterGroup& group : groups_) {
    Moments& moments = moments_.emplace_back();
    const std::size_t size = group.values.size();
    if (options_.kind == Optimizer::adagrad) {
      moments.second.assign(size, options_.initial_accumulator);
    } else {
      moments.first.assign(size, 0.0F);
      moments.second.assign(size, 0.0F);
    }
  }
}

// Numbers [first, first + size) of a group, whose gradient begins at `gradient`.
void GroupOptimizer::update(std::size_t group, const Rates& rates, const float* gradient,
                            std::size_t first, std::size_t size) {
  const auto count = static_cast<std::int64_t>(size);
  float* values = groups_[group].values.data() + first;
  float* second = moments_[group].second.data() + first;
  const float decay = groups_[group].decays ? options_.weight_decay : 0.0F;
  if (options_.kind == Optimizer::adagrad) {
    AdagradStep step;
    step.rate = rates.rate;
    step.weight_decay = decay;
    step.gradient_scale = rates.scale;
    adagrad(step, gradient, count, values, second);
    return;
  }
  AdamStep step;
  const auto number = static_cast<double>(rates.step - groups_[group].frozen_steps + 1);
  step.rate = rates.rate;
  step.correction1 = static_cast<float>(1.0 / (1.0 - std::pow(step.beta1, number)));
  step.correction2 = static_cast<float>(1.0 / (1.0 - std::pow(step.beta2, number)));
  step.weight_decay = decay;
  step.gradient_scale = rates.scale;
  adam(step, gradient, count, values, moments_[group].first.data() + first, second);
}

void GroupOptimizer::apply(std::uint64_t step, float rate, float scale,
                           std::span<const GroupGradient> gradients, Workers& workers) {
  const Rates rates{step, rate, scale};
  const auto shares = static_cast<std::size_t>(workers.count());
  workers.run(shares, [&](std::size_t share) {
    // Blocks are dealt out in turn.
    std::size_t block = 0;
    const auto is_mine = [&] { return block++ % shares == share; };
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (step < groups_[i].frozen_steps) continue;
      const auto& [values, rows] = gradients[i];
      if (!rows) {
        for (std::size_t first = 0; first < values.size(); first += kBlock) {
          if (!is_mine()) continue;
          update(i, rates, values.data() + first, first, std::min(kBlock, values.size() - first));
        }
        continue;
      }
      const std::size_t row_size = groups_[i].row_size();
      const std::size_t block_rows = std::max<std::size_t>(1, kBlock / row_size);
      for (std::size_t first = 0; first < rows->size(); first += block_rows) {
        if (!is_mine()) continue;
        for (std::size_t n = first; n < std::min(first + block_rows, rows->size()); ++n) {
          update(i, rates, values.data() + n * row_size,
                 static_cast<std::size_t>((*rows)[n]) * row_size, row_size);
        }
      }
    }
  });
}

std::vector<StateArray> GroupOptimizer::state() {
  const bool adam = options_.kind == Optimizer::adam;
  std::vector<StateArray> arrays;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const ParameterGroup& group = groups_[i];
    if (adam) arrays.push_back({"first_moment/" + group.name, group.shape, moments_[i].first});
    arrays.push_back(
        {(adam ? "second_moment/" : "accumulator/") + group.name, group.shape, moments_[i].second});
  }
  return arrays;
}

}  // namespace elmo

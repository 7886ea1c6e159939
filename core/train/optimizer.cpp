#include "core/train/optimizer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/kernels/optimizer_kernels.h"

namespace elmo {
namespace {

// Elements that a worker takes at a time: enough to outweigh the overhead.
constexpr std::size_t kUpdateBlock = std::size_t{1} << 16;

}  // namespace

NumericError diverged(std::uint64_t step, const std::string& what) {
  return NumericError(
      "training diverged: the " + what + " of step " + std::to_string(step) + " is not finite",
      Remedy{"train_slower"});
}

double global_norm(std::span<Parameter* const> parameters, Workers& workers) {
  std::vector<double> sums(parameters.size());
  workers.run(parameters.size(), [&](std::size_t index) {
    const AlignedVector<float>& gradient = parameters[index]->gradient;
    sums[index] = squared_norm(gradient.data(), static_cast<std::int64_t>(gradient.size()));
  });
  return std::sqrt(std::accumulate(sums.begin(), sums.end(), 0.0));
}

std::vector<StateArray> value_arrays(const std::string& prefix,
                                     std::span<Parameter* const> parameters) {
  std::vector<StateArray> arrays;
  for (Parameter* parameter : parameters) {
    arrays.push_back({prefix + "/" + parameter->name, parameter->shape, parameter->values});
  }
  return arrays;
}

ParameterOptimizer::ParameterOptimizer(const OptimizerOptions& options,
                                       const std::vector<Parameter*>& parameters)
    : options_(options) {
  for (Parameter* parameter : parameters) {
    Kept& kept = kept_.emplace_back(Kept{parameter, {}, {}});
    if (options_.kind == Optimizer::adagrad) {
      kept.second.assign(parameter->size(), options_.initial_accumulator);
    } else {
      kept.first.assign(parameter->size(), 0.0F);
      kept.second.assign(parameter->size(), 0.0F);
    }
  }
}

// Updates elements [first, first + size) of a parameter, whose gradient begins at `gradient`.
void ParameterOptimizer::update(Kept& kept, const Rates& rates, const float* gradient,
                                std::size_t first, std::size_t size) {
  const auto count = static_cast<std::int64_t>(size);
  const Parameter& parameter = *kept.parameter;
  float* values = kept.parameter->values.data() + first;
  float* second = kept.second.data() + first;
  const float decay = parameter.decays ? options_.weight_decay : 0.0F;
  if (options_.kind == Optimizer::adagrad) {
    AdagradStep step;
    step.rate = rates.rate;
    step.weight_decay = decay;
    step.gradient_scale = rates.scale;
    adagrad(step, gradient, count, values, second);
    return;
  }
  AdamStep step;
  const auto number = static_cast<double>(rates.step - parameter.frozen_steps + 1);
  step.rate = rates.rate;
  step.correction1 = static_cast<float>(1.0 / (1.0 - std::pow(step.beta1, number)));
  step.correction2 = static_cast<float>(1.0 / (1.0 - std::pow(step.beta2, number)));
  step.weight_decay = decay;
  step.gradient_scale = rates.scale;
  adam(step, gradient, count, values, kept.first.data() + first, second);
}

void ParameterOptimizer::apply(std::uint64_t step, float rate, float scale, Workers& workers) {
  const Rates rates{step, rate, scale};
  const auto shares = static_cast<std::size_t>(workers.count());
  workers.run(shares, [&](std::size_t share) {
    // Blocks are assigned to workers round-robin.
    std::size_t block = 0;
    const auto is_mine = [&] { return block++ % shares == share; };
    for (Kept& kept : kept_) {
      const Parameter& parameter = *kept.parameter;
      if (step < parameter.frozen_steps) continue;
      const AlignedVector<float>& gradient = parameter.gradient;
      if (!parameter.touched) {
        for (std::size_t first = 0; first < gradient.size(); first += kUpdateBlock) {
          if (!is_mine()) continue;
          update(kept, rates, gradient.data() + first, first,
                 std::min(kUpdateBlock, gradient.size() - first));
        }
        continue;
      }
      const std::vector<std::int32_t>& rows = *parameter.touched;
      const std::size_t row_size = parameter.row_size();
      const std::size_t block_rows = std::max<std::size_t>(1, kUpdateBlock / row_size);
      for (std::size_t first = 0; first < rows.size(); first += block_rows) {
        if (!is_mine()) continue;
        for (std::size_t n = first; n < std::min(first + block_rows, rows.size()); ++n) {
          update(kept, rates, gradient.data() + n * row_size,
                 static_cast<std::size_t>(rows[n]) * row_size, row_size);
        }
      }
    }
  });
}

std::vector<StateArray> ParameterOptimizer::state() {
  const bool adam = options_.kind == Optimizer::adam;
  std::vector<StateArray> arrays;
  for (const Kept& kept : kept_) {
    Parameter& parameter = *kept.parameter;
    arrays.push_back({"parameters/" + parameter.name, parameter.shape, parameter.values});
  }
  for (Kept& kept : kept_) {
    const Parameter& parameter = *kept.parameter;
    if (adam) arrays.push_back({"first_moment/" + parameter.name, parameter.shape, kept.first});
    arrays.push_back({(adam ? "second_moment/" : "accumulator/") + parameter.name, parameter.shape,
                      kept.second});
  }
  return arrays;
}

}  // namespace elmo

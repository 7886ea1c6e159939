#include "core/train/optimizer.h"

#include <algorithm>
#include <cmath>

#include "core/kernels/optimizer_kernels.h"

namespace elmo {

double global_norm(const Gradients& gradients) {
  double sum = 0.0;
  const auto add_square = [&](const AlignedVector<float>& values) {
    sum += squared_norm(values.data(), static_cast<std::int64_t>(values.size()));
  };
  for (const AlignedVector<float>& values : gradients.parameters) add_square(values);
  add_square(gradients.softmax.weights);
  add_square(gradients.softmax.bias);
  return std::sqrt(sum);
}

ParameterUpdate::ParameterUpdate(const TrainingOptions& options, const Parameters& parameters,
                                 const SoftmaxLayer& softmax)
    : options_(options),
      softmax_weights_(make_moments(softmax.weights.size())),
      softmax_bias_(make_moments(softmax.bias.size())) {
  for (const Parameter& parameter : parameters.all()) {
    parameters_.push_back(make_moments(parameter.values.size()));
  }
}

ParameterUpdate::Moments ParameterUpdate::make_moments(std::size_t size) const {
  Moments moments;
  if (options_.optimizer == Optimizer::adagrad) {
    moments.second.assign(size, options_.initial_accumulator);
  } else {
    moments.first.assign(size, 0.0F);
    moments.second.assign(size, 0.0F);
  }
  return moments;
}

// Values [first, first + size) of those that `moments` belong to.
void ParameterUpdate::update(const Rates& rates, bool decays, const float* gradient,
                             std::size_t size, float* values, Moments& moments,
                             std::size_t first) const {
  const auto count = static_cast<std::int64_t>(size);
  const float decay = decays ? options_.weight_decay : 0.0F;
  if (options_.optimizer == Optimizer::adagrad) {
    AdagradStep step;
    step.rate = rates.rate;
    step.weight_decay = decay;
    step.gradient_scale = rates.scale;
    adagrad(step, gradient, count, values, moments.second.data() + first);
    return;
  }
  AdamStep step;
  const auto number = static_cast<double>(rates.step + 1);
  step.rate = rates.rate;
  step.correction1 = static_cast<float>(1.0 / (1.0 - std::pow(step.beta1, number)));
  step.correction2 = static_cast<float>(1.0 / (1.0 - std::pow(step.beta2, number)));
  step.weight_decay = decay;
  step.gradient_scale = rates.scale;
  adam(step, gradient, count, values, moments.first.data() + first, moments.second.data() + first);
}

void ParameterUpdate::apply(std::uint64_t step, float rate, float scale, bool softmax_only,
                            const Gradients& gradients, Parameters& parameters,
                            SoftmaxLayer& softmax, Workers& workers) {
  const Rates rates{step, rate, scale};
  // Adam's moments of the biLM begin where it is no longer frozen.
  const Rates bilm_rates{step - std::min(step, options_.frozen_steps), rate, scale};
  const auto halves = static_cast<std::size_t>(Workers::kHalves);
  const std::size_t projection = softmax.weights.size() / softmax.bias.size();
  workers.run([&](int half) {
    const auto first = static_cast<std::size_t>(half);
    for (std::size_t i = first; !softmax_only && i < parameters_.size(); i += halves) {
      Parameter& parameter = parameters.all()[i];
      update(bilm_rates, parameter.spec.shape.size() > 1, gradients.parameters[i].data(),
             parameter.values.size(), parameter.values.data(), parameters_[i], 0);
    }
    const SoftmaxGradient& touched = gradients.softmax;
    for (std::size_t i = first; i < touched.rows.size(); i += halves) {
      const auto row = static_cast<std::size_t>(touched.rows[i]);
      update(rates, true, touched.weights.data() + i * projection, projection,
             softmax.weights.data() + row * projection, softmax_weights_, row * projection);
      update(rates, false, touched.bias.data() + i, 1, softmax.bias.data() + row, softmax_bias_,
             row);
    }
  });
}

std::vector<StateArray> ParameterUpdate::state(const Parameters& parameters) {
  std::vector<StateArray> arrays;
  const auto append = [&](const std::string& name, const std::vector<std::int64_t>& shape,
                          Moments& moments) {
    if (!moments.first.empty()) arrays.push_back({"first_moment/" + name, shape, moments.first});
    const bool adam = options_.optimizer == Optimizer::adam;
    arrays.push_back({(adam ? "second_moment/" : "accumulator/") + name, shape, moments.second});
  };
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const ParameterSpec& spec = parameters.all()[i].spec;
    append(spec.name, spec.shape, parameters_[i]);
  }
  const auto vocabulary = static_cast<std::int64_t>(softmax_bias_.second.size());
  const auto size = static_cast<std::int64_t>(softmax_weights_.second.size());
  append("softmax/W", {vocabulary, size / vocabulary}, softmax_weights_);
  append("softmax/b", {vocabulary}, softmax_bias_);
  return arrays;
}

}  // namespace elmo

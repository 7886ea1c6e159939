#include "core/tasks/common/weight_average.h"

#include <algorithm>
#include <utility>

#include "core/kernels/optimizer_kernels.h"

namespace elmo {

namespace {

// Maximum size of an averaged parameter: averaging then takes at most about as long as the step.
constexpr std::size_t kMaxNumbers = std::size_t{1} << 22;

}  // namespace

WeightAverage::WeightAverage(const std::vector<Parameter*>& parameters, float decay)
    : decay_(decay) {
  if (decay_ == 0.0F) return;
  for (Parameter* parameter : parameters) {
    if (parameter->values.size() > kMaxNumbers) continue;
    parameters_.push_back(parameter);
    averages_.push_back(parameter->values);
  }
}

void WeightAverage::add(std::uint64_t step) {
  const auto n = static_cast<float>(step);
  const float share = 1.0F - std::min(decay_, (1.0F + n) / (10.0F + n));
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    average(share, parameters_[i]->values.data(), static_cast<std::int64_t>(averages_[i].size()),
            averages_[i].data());
  }
}

void WeightAverage::swap() {
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    std::swap(parameters_[i]->values, averages_[i]);
  }
}

std::vector<StateArray> WeightAverage::state() {
  std::vector<StateArray> arrays;
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    arrays.push_back({"average/" + parameters_[i]->name, parameters_[i]->shape, averages_[i]});
  }
  return arrays;
}

}  // namespace elmo

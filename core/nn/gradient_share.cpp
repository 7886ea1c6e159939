#include "core/nn/gradient_share.h"

#include <cstdint>

#include "core/kernels/optimizer_kernels.h"

namespace elmo {

AlignedVector<float>& GradientShare::of(Parameter& parameter) {
  AlignedVector<float>& gradient = is_first_ ? parameter.gradient : own_[&parameter];
  gradient.resize(parameter.gradient_size());
  return gradient;
}

void GradientShare::add_to(Parameter& parameter) const {
  const auto found = own_.find(&parameter);
  if (found == own_.end()) return;
  const AlignedVector<float>& part = found->second;
  add(part.data(), static_cast<std::int64_t>(part.size()), parameter.gradient.data());
}

}  // namespace elmo

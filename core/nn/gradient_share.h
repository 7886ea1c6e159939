// Gradients of parameters that several workers compute a part of each.
#pragma once

#include <unordered_map>

#include "core/nn/parameter.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// Where one of the workers puts its part: the first into the parameters themselves, each other
/// into arrays of its own, which are added to the first's. Not for two threads at once except
/// add_to() of different parameters.
class GradientShare {
 public:
  explicit GradientShare(bool is_first) : is_first_(is_first) {}

  /// Room for the gradient of `parameter`, of Parameter::gradient_size(), to be overwritten.
  AlignedVector<float>& of(Parameter& parameter);

  /// Adds this worker's part, if it has one of its own, to the first's.
  void add_to(Parameter& parameter) const;

 private:
  bool is_first_;
  std::unordered_map<const Parameter*, AlignedVector<float>> own_;
};

}  // namespace elmo

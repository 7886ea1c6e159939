// Gradients of parameters that several workers compute a part of each.
#pragma once

#include <cstddef>
#include <span>
#include <unordered_map>

#include "core/nn/parameter.h"
#include "core/parallel/workers.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// Where one of the workers puts its part: the first into the parameters themselves, each other
/// into arrays of its own, which sum_shares() adds to the first's. Not for two threads at once.
class GradientShare {
 public:
  explicit GradientShare(bool is_first) : is_first_(is_first) {}

  /// Room for the gradient of `parameter`, of Parameter::gradient_size(), to be overwritten.
  AlignedVector<float>& of(Parameter& parameter);

 private:
  friend void sum_shares(std::span<Parameter* const> parameters,
                         std::span<const GradientShare* const> shares, Workers& workers);
  // Adds numbers [first, first + count) of this worker's part, if it has one, to the first's.
  void add_to(Parameter& parameter, std::size_t first, std::size_t count) const;

  bool is_first_;
  std::unordered_map<const Parameter*, AlignedVector<float>> own_;
};

/// Adds the shares' own parts of the parameters' gradients to the first's, in their order: the bits
/// do not depend on the workers.
void sum_shares(std::span<Parameter* const> parameters,
                std::span<const GradientShare* const> shares, Workers& workers);

}  // namespace elmo

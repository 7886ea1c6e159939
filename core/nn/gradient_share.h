// Parameter gradients that several workers compute together, each a part.
#pragma once

#include <cstddef>
#include <span>
#include <unordered_map>

#include "core/nn/parameter.h"
#include "core/parallel/workers.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// The part of the gradients that one worker computes. The first worker's part is in the parameters
/// themselves. Each other worker's part is in arrays of its own, which sum_shares() adds to the
/// first worker's. Not for two threads at once.
class GradientShare {
 public:
  explicit GradientShare(bool is_first) : is_first_(is_first) {}

  /// Where this worker writes its gradient of `parameter`: Parameter::gradient_size() values, to be
  /// overwritten.
  AlignedVector<float>& of(Parameter& parameter);

 private:
  friend void sum_shares(std::span<Parameter* const> parameters,
                         std::span<const GradientShare* const> shares, Workers& workers);
  // Adds values [first, first + count) of this worker's own array, if it has one, to the parameter.
  void add_to(Parameter& parameter, std::size_t first, std::size_t count) const;

  bool is_first_;
  std::unordered_map<const Parameter*, AlignedVector<float>> own_;
};

/// Adds the shares' own arrays to the parameters' gradients, in the order of `shares`. The result
/// does not depend on the number of workers.
void sum_shares(std::span<Parameter* const> parameters,
                std::span<const GradientShare* const> shares, Workers& workers);

}  // namespace elmo

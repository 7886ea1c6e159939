// Conventions and types that all layers share.
//
// Each layer is a class with `forward` and `backward`. forward keeps what backward needs. backward
// takes the gradient with respect to the outputs of the last forward, adds to the gradients of the
// layer's parameters (call Parameter::clear_gradient() before) and computes the gradient with
// respect to the inputs. The sequences of a batch are packed without padding, so that one product
// covers all rows.
#pragma once

#include <cstdint>
#include <vector>

#include "core/nn/parameter.h"
#include "core/tensor/matrix.h"

namespace elmo {

/// Options of one pass over a batch.
struct PassOptions {
  bool training = false;  ///< apply dropout, and keep what backward needs
  std::uint64_t seed = 0;
  std::uint64_t step = 0;  ///< training step; dropout masks depend on seed, step and mask id
};

/// The parameters of several layers, in the order of the layers.
template <typename... Layers>
std::vector<Parameter*> parameters_of(Layers&... layers) {
  std::vector<Parameter*> all;
  const auto add = [&all](const std::vector<Parameter*>& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  (add(layers.parameters()), ...);
  return all;
}

}  // namespace elmo

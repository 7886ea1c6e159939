// What layers have in common.
//
// A layer is a class of its own with `forward` and `backward`. forward keeps what backward needs;
// backward is given the gradient with respect to the outputs of the last forward, adds to the
// gradients of the layer's parameters (Parameter::clear_gradient() comes before) and gives the
// gradient with respect to the inputs. Sequences of a batch lie one after another without padding,
// so that a product takes all rows at once.
#pragma once

#include <cstdint>
#include <vector>

#include "core/nn/parameter.h"
#include "core/tensor/matrix.h"

namespace elmo {

/// How a batch is gone through.
struct PassOptions {
  bool training = false;  ///< apply dropout, and keep what backward needs
  std::uint64_t seed = 0;
  std::uint64_t step = 0;  ///< of the training; dropout's masks depend on seed, step and place
};

/// The parameters of several layers, one layer after the other.
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

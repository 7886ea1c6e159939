// What a probe reads of a token's activations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/tasks/common/task_options.h"

namespace elmo {

/// A part of a token's activations [2L+1, P], or the mix of its layers.
struct ProbedLayer {
  std::string name;          ///< "x", "forward_1", "backward_1", "1" (both directions), …, "mix"
  std::int64_t column = 0;   ///< the first of the numbers it reads
  std::int64_t columns = 0;  ///< how many
  bool mixed = false;        ///< all layers, mixed with learned shares
};

/// The token layer, each direction of each layer and both together, and the mix, in this order.
std::vector<ProbedLayer> probed_layers(const BilmShape& bilm);

}  // namespace elmo

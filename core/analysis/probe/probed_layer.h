// Input of a probe: a part of a token's activations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/tasks/common/task_options.h"

namespace elmo {

/// A part of a token's activations [2L+1, P], or the mix of its layers.
struct ProbedLayer {
  std::string name;          ///< "x", "forward_1", "backward_1", "1" (both directions), …, "mix"
  std::int64_t column = 0;   ///< first column that it reads
  std::int64_t columns = 0;  ///< number of columns
  bool mixed = false;        ///< all layers, mixed with learned weights
};

/// In this order: the token layer; for each layer, its directions and both together; the mix.
std::vector<ProbedLayer> probed_layers(const BilmShape& bilm);

}  // namespace elmo

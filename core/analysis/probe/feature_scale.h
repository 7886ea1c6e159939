// Scaling of layers to the same magnitude, so that one learning rate suits all probes.
#pragma once

#include <span>
#include <vector>

#include "core/tasks/common/task_options.h"

namespace elmo {

/// Factors that scale the inputs of each of probed_layers() to a mean square of 1, estimated from a
/// sample [N, 2L+1, P] of at least one token. For the mix, the numbers of all layers count. The
/// factor is 1 if all numbers are 0. Any thread.
std::vector<float> layer_scales(std::span<const float> sample, const BilmShape& bilm);

}  // namespace elmo

// Layers brought to one size, so that one learning rate suits the probes of all.
#pragma once

#include <span>
#include <vector>

#include "core/tasks/common/task_options.h"

namespace elmo {

/// What brings the numbers that each of probed_layers() reads to a mean square of 1, by a sample
/// [N, 2L+1, P] of at least one token; of a mix, the numbers of all layers. 1 where all are 0. Any
/// thread.
std::vector<float> layer_scales(std::span<const float> sample, const BilmShape& bilm);

}  // namespace elmo

// One step's loss and gradients over all ranks.
#pragma once

#include "core/train/backpropagation.h"
#include "core/train/communicator.h"

namespace elmo {

/// Replaces both by their sums over all ranks. Rows of the softmax that any rank touched become
/// touched on all of them; `width` is the size of such a row (P).
void sum_over_ranks(Communicator& communicator, std::int64_t width, BatchLoss& loss,
                    Gradients& gradients);

}  // namespace elmo

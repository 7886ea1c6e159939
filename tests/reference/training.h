// The training loss of a biLM, written plainly from its equations in double precision. Tests
// compare the trainer's loss with it, and the trainer's gradients with its differences. It shares
// with core only the structs and the kernel that draws dropout masks, which are part of the
// definition.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/model/options.h"
#include "core/train/bilm/backpropagation.h"
#include "tests/reference/equations.h"

namespace elmo {

struct ReferenceSoftmax {
  std::vector<double> weights;  ///< [V, P]
  std::vector<double> bias;     ///< [V]
};

/// The input of one step. The referenced data must outlive it.
struct ReferenceStep {
  const ModelOptions& model;
  std::span<const std::string> types;  ///< see Corpus::types
  std::span<const std::int32_t> rows;  ///< see Corpus::rows
  const TrainingStep& of;
};

/// Returns the mean −log p per token in each direction. `states`, one per lane, become the states
/// after the batch.
BatchLoss reference_loss(const ReferenceStep& step, const ReferenceParameters& parameters,
                         const ReferenceSoftmax& softmax, std::vector<ReferenceState>& states);

}  // namespace elmo

// The loss that a biLM is trained with, written plainly from its equations in double precision:
// what the trainer's loss and, by differences, its gradients are held against. Of core it shares
// the structs, and the kernel that draws the masks of dropout, which are part of the definition.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/model/options.h"
#include "core/train/bilm/training_step.h"
#include "tests/reference/equations.h"

namespace elmo {

struct ReferenceSoftmax {
  std::vector<double> weights;  ///< [V, P]
  std::vector<double> bias;     ///< [V]
};

/// One step's work. What it refers to has to outlive it.
struct ReferenceStep {
  const ModelOptions& model;
  std::span<const std::string> types;  ///< as Corpus::types
  std::span<const std::int32_t> rows;  ///< as Corpus::rows
  const TrainingStep& of;
};

/// `states`, one a lane, become those after the batch. Returns the mean −log p of a token in
/// each direction.
BatchLoss reference_loss(const ReferenceStep& step, const ReferenceParameters& parameters,
                         const ReferenceSoftmax& softmax, std::vector<ReferenceState>& states);

}  // namespace elmo

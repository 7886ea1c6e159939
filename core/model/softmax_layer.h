// The softmax layer over the vocabulary that a biLM is trained with, shared by both directions.
#pragma once

#include <cstdint>
#include <optional>

#include "core/model/vocabulary.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// logit of word v after activation h [P] of the last layer: h · weights[v] + bias[v].
struct SoftmaxLayer {
  Vocabulary vocabulary;         ///< V words; by falling frequency after training
  AlignedVector<float> weights;  ///< [V, P]
  AlignedVector<float> bias;     ///< [V]
};

}  // namespace elmo

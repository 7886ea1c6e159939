// The softmax layer over the vocabulary for training a biLM, shared by both directions.
#pragma once

#include <cstdint>
#include <utility>

#include "core/model/vocabulary.h"
#include "core/nn/parameter.h"

namespace elmo {

/// The logit of word v for the last layer's activation h [P] is h · weights[v] + bias[v].
struct SoftmaxLayer {
  /// All weights are zero.
  SoftmaxLayer(Vocabulary words, std::int64_t width)
      : vocabulary(std::move(words)),
        weights("softmax/W", {vocabulary.size(), width}),
        bias("softmax/b", {vocabulary.size()}) {
    bias.decays = false;
  }

  std::int64_t width() const { return weights.shape[1]; }  ///< P

  Vocabulary vocabulary;  ///< V words; after training, by descending frequency
  Parameter weights;      ///< [V, P]
  Parameter bias;         ///< [V]
};

}  // namespace elmo

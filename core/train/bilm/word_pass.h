// The table of a word-level model over distinct tokens, forward and backward.
#pragma once

#include <cstdint>
#include <span>

#include "core/train/bilm/lane_stream.h"
#include "core/train/bilm/trained_bilm.h"

namespace elmo {

/// Not for two threads at once.
class WordPass {
 public:
  /// `rows`: as Corpus::rows. It and `model` have to outlive this.
  WordPass(TrainedBilm& model, std::span<const std::int32_t> rows)
      : table_(model.parameters[*model.parameters.index().word_embedding]), rows_(rows) {}

  Parameter& table() { return table_; }

  /// Row i of `to` [types, P] becomes the vector of the batch's i-th type. The rows of the table
  /// that the batch reads, in its lanes or in others, become the touched ones: ascending.
  void forward(const TrainingBatch& batch, float* to);

  /// `gradient` [types, P]: with respect to what `forward` made. Replaces the table's.
  void backward(const TrainingBatch& batch, const float* gradient);

 private:
  Parameter& table_;  // [V, P]
  std::span<const std::int32_t> rows_;
};

}  // namespace elmo

// Embedding lookup of a word-level model for distinct tokens, forward and backward.
#pragma once

#include <cstdint>
#include <span>

#include "core/train/bilm/lane_stream.h"
#include "core/train/bilm/trained_bilm.h"

namespace elmo {

/// Not for two threads at once.
class WordPass {
 public:
  /// `rows`: see Corpus::rows. `rows` and `model` must outlive this object.
  WordPass(TrainedBilm& model, std::span<const std::int32_t> rows)
      : table_(model.parameters[*model.parameters.index().word_embedding]), rows_(rows) {}

  Parameter& table() { return table_; }

  /// Writes the vector of the batch's i-th type to row i of `to` [types, P]. The touched rows of
  /// the table become those that the batch reads, in its lanes or in other lanes, ascending.
  void forward(const TrainingBatch& batch, float* to);

  /// `gradient` [types, P]: with respect to the output of `forward`. Replaces the table's gradient.
  void backward(const TrainingBatch& batch, const float* gradient);

 private:
  Parameter& table_;  // [V, P]
  std::span<const std::int32_t> rows_;
};

}  // namespace elmo

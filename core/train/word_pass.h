// The table of a word-level model over distinct tokens, forward and backward.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/parameters.h"
#include "core/tensor/aligned.h"
#include "core/train/lane_stream.h"

namespace elmo {

/// Stateless but for the rows. Not for two threads at once.
class WordPass {
 public:
  /// `rows`: as Corpus::rows, which has to outlive it.
  WordPass(std::int64_t projection_dim, std::span<const std::int32_t> rows)
      : projection_(projection_dim), rows_(rows) {}

  /// Row i of `to` [types, P] becomes the vector of the batch's i-th type.
  void forward(const Parameters& parameters, const TrainingBatch& batch, float* to) const;

  /// The rows of the table that the batch reads, in its lanes or in others: distinct, ascending.
  std::vector<std::int32_t> touched_rows(const TrainingBatch& batch) const;

  /// `gradient` [types, P]: with respect to what `forward` made. `to` becomes [touched, P], that
  /// with respect to the rows `touched`.
  void backward(const TrainingBatch& batch, const float* gradient,
                std::span<const std::int32_t> touched, AlignedVector<float>& to) const;

 private:
  std::int64_t projection_;  // P
  std::span<const std::int32_t> rows_;
};

}  // namespace elmo

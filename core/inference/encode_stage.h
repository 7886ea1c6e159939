// The pipeline stage that computes token vectors, layer 0 of the biLM.
#pragma once

#include <cstddef>
#include <vector>

#include "core/inference/scheduler.h"
#include "core/inference/spare_memory.h"
#include "core/inference/token_cache.h"
#include "core/model/bilm.h"

namespace elmo {

/// Encodes each distinct token of a batch once, unless its vector is still cached from an earlier
/// batch. For one run. `model` must outlive it.
class EncodeStage {
 public:
  /// `cache_bytes`: maximum size of the cached vectors. `with_boundaries`: batches have rows for
  /// the boundaries of each sentence.
  EncodeStage(const Bilm& model, std::size_t cache_bytes, bool with_boundaries);

  /// Returns the jobs that compute the vectors of the distinct tokens.
  std::vector<PipelineSteps::Job> jobs(Batch& batch);

  /// Call after the jobs. Allocates the activations from `memory` and copies the vectors to their
  /// rows.
  void fill_rows(Batch& batch, SpareMemory& memory) const;

 private:
  void encode(Batch& batch, std::size_t first, Workspace& workspace);

  const Bilm& model_;
  bool with_boundaries_;
  std::size_t width_;       // P
  std::size_t row_values_;  // of a token's activations
  TokenCache cache_;
};

}  // namespace elmo

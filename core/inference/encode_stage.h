// From the tokens of a batch to their vectors, layer 0 of the biLM.
#pragma once

#include <cstddef>
#include <vector>

#include "core/inference/scheduler.h"
#include "core/inference/spare_memory.h"
#include "core/inference/token_cache.h"
#include "core/model/bilm.h"

namespace elmo {

/// Encodes each distinct token of a batch once, and none whose vector is still kept from a batch
/// before. Stages of one run; `model` and `stopping` have to outlive it.
class EncodeStage {
 public:
  /// `cache_bytes`: of the vectors that are kept, at most. `with_boundaries`: batches have rows for
  /// the boundaries of each sentence.
  EncodeStage(const Bilm& model, std::size_t cache_bytes, bool with_boundaries);

  /// The jobs that make the vectors of the distinct tokens.
  std::vector<PipelineSteps::Job> jobs(Batch& batch);

  /// Afterwards: makes room for the activations, in `memory`, and copies the vectors to their rows.
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

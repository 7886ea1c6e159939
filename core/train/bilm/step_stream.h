// The training data of each step, in order.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/train/bilm/corpus.h"
#include "core/train/bilm/lane_stream.h"
#include "core/train/bilm/negative_sampler.h"
#include "core/train/bilm/training_options.h"
#include "core/train/bilm/training_step.h"

namespace elmo {

/// Batches with samples of the vocabulary: a function of corpus, options, step and positions. Not
/// for two threads at once.
class StepStream {
 public:
  /// `corpus`: see LaneStream. `vocabulary`: number of rows of the softmax.
  StepStream(const Corpus& corpus, const TrainingOptions& options, const LaneRange& lanes,
             std::int64_t vocabulary);

  /// Returns step `step` (from 0) with the batch at the current positions. Valid until the next
  /// call.
  const TrainingStep& next(std::uint64_t step);

  const std::vector<LanePosition>& positions() const { return lanes_.positions(); }
  /// See LaneStream::restore.
  void restore(std::vector<LanePosition> positions) { lanes_.restore(std::move(positions)); }

 private:
  TrainingOptions options_;
  LaneStream lanes_;
  NegativeSampler sampler_;
  TrainingStep step_;
};

}  // namespace elmo

// What each step learns from, in turn.
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
  /// `corpus`: as LaneStream has it. `vocabulary`: rows of the softmax.
  StepStream(const Corpus& corpus, const TrainingOptions& options, const LaneRange& lanes,
             std::int64_t vocabulary);

  /// Step `step` (from 0), with the batch at the positions; valid until the next call.
  const TrainingStep& next(std::uint64_t step);

  const std::vector<LanePosition>& positions() const { return lanes_.positions(); }
  /// As LaneStream::restore.
  void restore(std::vector<LanePosition> positions) { lanes_.restore(std::move(positions)); }

 private:
  TrainingOptions options_;
  LaneStream lanes_;
  NegativeSampler sampler_;
  TrainingStep step_;
};

}  // namespace elmo

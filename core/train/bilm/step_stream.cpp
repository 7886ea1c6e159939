#include "core/train/bilm/step_stream.h"

#include <algorithm>

namespace elmo {

StepStream::StepStream(const Corpus& corpus, const TrainingOptions& options, const LaneRange& lanes,
                       std::int64_t vocabulary)
    : options_(options),
      lanes_(corpus, options.state, lanes, options.unroll, options.seed),
      sampler_(vocabulary, std::min(options.samples, vocabulary)) {}

const TrainingStep& StepStream::next(std::uint64_t step) {
  lanes_.next(step_.batch);
  step_.sample = sampler_.draw(options_.seed, step);
  step_.options.dropout = options_.dropout;
  step_.options.dropout_key = {options_.seed, step, 0};
  step_.options.softmax_only = step < options_.frozen_steps;
  return step_;
}

}  // namespace elmo

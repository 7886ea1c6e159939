// Sentences labeled with senses on their way through the pipeline, and their vectors out of it.
#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "core/analysis/senses/sense_inventory.h"
#include "core/inference/sink.h"
#include "core/inference/source.h"

namespace elmo {

/// Both ends of the pipeline: gives it the sentences that have instances which are wanted, and
/// takes the vectors of these instances from what it computes. What is on its way is kept, nothing
/// else.
class SenseStream final : public SentenceSource, public ActivationSink {
 public:
  /// Reads the next sentence; false at the end. Called by the thread that reads, as is `wanted`.
  using Read = std::function<bool(SenseSentence&)>;
  using Wanted = std::function<bool(const SenseInstance&)>;
  /// Is handed each wanted instance in order with its vector: all numbers of a token, the mean over
  /// its tokens where there are several. Called by the thread that runs the pipeline.
  using Take = std::function<void(const SenseInstance&, std::span<const float> vector)>;

  SenseStream(Read read, Wanted wanted, Take take)
      : read_(std::move(read)), wanted_(std::move(wanted)), take_(std::move(take)) {}

  bool next(Sentence& sentence) override;
  void write(const ActivationBatch& batch) override;
  void end_segment(const SegmentEnd&) override {}
  void finish() override {}

 private:
  Read read_;
  Wanted wanted_;
  Take take_;
  std::mutex mutex_;
  std::deque<std::vector<SenseInstance>> on_the_way_;  ///< of the sentences in the pipeline
  std::vector<float> mean_;
};

}  // namespace elmo

// Connects sentences labeled with senses to the pipeline, and collects the instances' vectors.
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

/// Both ends of the pipeline. As a source, it provides the sentences that have wanted instances. As
/// a sink, it extracts the vectors of these instances from the activations. Stores only the
/// instances of sentences in the pipeline.
class SenseStream final : public SentenceSource, public ActivationSink {
 public:
  /// Reads the next sentence; returns false at the end. The reading thread calls it and `wanted`.
  using Read = std::function<bool(SenseSentence&)>;
  using Wanted = std::function<bool(const SenseInstance&)>;
  /// Receives each wanted instance, in order, with its vector: all numbers of a token, or the mean
  /// over the word's tokens. The thread that runs the pipeline calls it.
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
  std::deque<std::vector<SenseInstance>>
      on_the_way_;  ///< instances of the sentences in the pipeline
  std::vector<float> mean_;
};

}  // namespace elmo

// A JSON object for each sentence: --format jsonl.
#pragma once

#include <string>
#include <vector>

#include "core/inference/sink.h"
#include "io/dtype.h"
#include "io/sinks/stream.h"

namespace elmo {

/// Writes one line for each sentence:
///
///   {"document": id, "sentence": number in the run, "line": line in the document,
///    "tokens": [string, …], "spans": [[begin, end], …], "vectors": [[[number, …], …], …]}
///
/// with vectors [T, R, W]. Numbers have the fewest digits that read back as the same float32; in
/// another format they are rounded to it first, in rows of W.  Errors: as Stream. One thread at a
/// time.
class JsonlSink final : public ActivationSink {
 public:
  /// `stream` has to outlive it.
  JsonlSink(Stream& stream, ActivationLayout layout, Dtype dtype)
      : stream_(stream), layout_(std::move(layout)), dtype_(dtype) {}

  void write(const ActivationBatch& batch) override;
  bool is_awaited() const override { return true; }
  void end_segment(const SegmentEnd&) override {}
  void finish() override {}

 private:
  void add_sentence(const Sentence& sentence, std::uint64_t number, const float* activations);

  Stream& stream_;
  ActivationLayout layout_;
  Dtype dtype_;
  std::string buffer_;          ///< what a batch becomes
  std::vector<float> rounded_;  ///< activations of a batch as the format has them
};

}  // namespace elmo

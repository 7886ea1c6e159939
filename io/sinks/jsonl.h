// A JSON object for each sentence: --format jsonl.
#pragma once

#include <cstddef>
#include <cstdint>
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
/// with vectors [T, R, W]. If only some tokens are kept, these lists contain the kept tokens, and
/// two more members give their context: "positions": [number, …], counted from 0, and "text", all
/// tokens of the sentence joined by one space. Sentences without a kept token have no line. A
/// pooled run has one line for each row:
///
///   {"document": id, "sentence": number of the first sentence, "line": its line,
///    "text": tokens of the sentence joined by one space, or the document's id,
///    "pooled_tokens": number, "span": [begin, end], "vectors": [[number, …], …]}
///
/// with vectors [R, W]. Numbers have the fewest digits that read back as the same float32; for
/// other formats they are first rounded to the format, in rows of W. Errors: as Stream. One thread
/// at a time.
class JsonlSink final : public ActivationSink {
 public:
  /// `stream` must outlive the sink. `pooled`: batches have pooled rows.
  JsonlSink(Stream& stream, ActivationLayout layout, Dtype dtype, bool pooled = false)
      : stream_(stream), layout_(std::move(layout)), dtype_(dtype), pooled_(pooled) {}

  void write(const ActivationBatch& batch) override;
  bool is_awaited() const override { return true; }
  void end_segment(const SegmentEnd&) override {}
  void finish() override {}

 private:
  void add_sentence(const Sentence& sentence, std::uint64_t number, const float* activations);
  void add_row(const PooledRow& row, const float* activations);
  void add_vectors(const float* activations);  ///< [R, W]
  void flush_beyond(std::size_t bytes);

  Stream& stream_;
  ActivationLayout layout_;
  Dtype dtype_;
  bool pooled_;
  std::string buffer_;          ///< the text of a batch
  std::vector<float> rounded_;  ///< a batch's activations, rounded to the format
};

}  // namespace elmo

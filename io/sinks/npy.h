// NumPy arrays on a stream: --format npy.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/inference/sink.h"
#include "io/dtype.h"
#include "io/sinks/stream.h"

namespace elmo {

/// Writes one array [T, R, W] of float32 or float16 for each sentence, back to back; np.load()
/// reads them in turn from one open file. T counts the kept tokens. If only some tokens are kept,
/// sentences without a kept token have no array; the output does not identify the sentences and
/// tokens. A pooled run has one array [R, W] for each row. Format: NumPy Enhancement Proposal 1,
/// version 1.0. Errors: as Stream. One thread at a time.
class NpySink final : public ActivationSink {
 public:
  /// `stream` must outlive the sink. `pooled`: batches have pooled rows.
  NpySink(Stream& stream, ActivationLayout layout, Dtype dtype, bool pooled = false)
      : stream_(stream),
        layout_(std::move(layout)),
        dtype_(dtype),
        pooled_(pooled),
        encoder_(dtype, 1) {}

  void write(const ActivationBatch& batch) override;
  bool is_awaited() const override { return true; }
  void end_segment(const SegmentEnd&) override {}
  void finish() override {}

 private:
  void add_array(std::optional<std::size_t> tokens, std::span<const float> values);

  Stream& stream_;
  ActivationLayout layout_;
  Dtype dtype_;
  bool pooled_;
  Encoder encoder_;
  std::string buffer_;  ///< the bytes of a batch
};

}  // namespace elmo

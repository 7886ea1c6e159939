// NumPy arrays on a stream: --format npy.
#pragma once

#include <string>

#include "core/inference/sink.h"
#include "io/dtype.h"
#include "io/sinks/stream.h"

namespace elmo {

/// Writes one array of float32 or float16, which NumPy has, [T, R, W] for each sentence, back to
/// back; np.load() reads them in turn from one open file. Format: NumPy Enhancement Proposal 1,
/// version 1.0. Errors: as Stream. One thread at a time.
class NpySink final : public ActivationSink {
 public:
  /// `stream` has to outlive it.
  NpySink(Stream& stream, ActivationLayout layout, Dtype dtype)
      : stream_(stream), layout_(std::move(layout)), dtype_(dtype), encoder_(dtype, 1) {}

  void write(const ActivationBatch& batch) override;
  bool is_awaited() const override { return true; }
  void end_segment(const SegmentEnd&) override {}
  void finish() override {}

 private:
  Stream& stream_;
  ActivationLayout layout_;
  Dtype dtype_;
  Encoder encoder_;
  std::string buffer_;  ///< what a batch becomes
};

}  // namespace elmo

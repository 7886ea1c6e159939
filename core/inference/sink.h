// Where activations go. io implements it; the pipeline calls it from one thread, in input order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/inference/sentence.h"

namespace elmo {

/// What one token's activations look like: R rows of W numbers.
struct ActivationLayout {
  std::vector<std::string>
      rows;  ///< names: "x", "forward_1", "backward_1", …; or "top", "average", "mix"
  std::int64_t width = 0;  ///< W

  std::int64_t row_count() const { return static_cast<std::int64_t>(rows.size()); }  ///< R
  std::int64_t values_per_token() const { return row_count() * width; }
};

/// Consecutive sentences with their activations. Views: valid during the call only.
struct ActivationBatch {
  std::uint64_t first_sentence = 0;     ///< number of sentences[0] in the whole run
  std::span<const Sentence> sentences;  ///< boundaries, where kept, are tokens `<S>` and `</S>`
                                        ///< with empty spans
  std::span<const float> activations;   ///< [tokens of all sentences, R, W]; finite, and below
                                        ///< EmbedOptions::value_limit

  std::size_t token_count() const {
    std::size_t count = 0;
    for (const Sentence& sentence : sentences) count += sentence.size();
    return count;
  }
};

/// The end of a segment: all sentences up to here were handed over, and the run can be taken up
/// from here. The pipeline cuts segments where `EmbedOptions::segment_bytes` says; batches never
/// span two.
struct SegmentEnd {
  std::uint64_t next_sentence = 0;   ///< number of the first sentence that is not part of it
  std::vector<float> carried_state;  ///< LSTM state after it where the state is carried, else empty

  // Counts of this segment alone; see EmbedProgress.
  std::uint64_t truncated_tokens = 0;
  std::uint64_t unknown_tokens = 0;
};

class ActivationSink {
 public:
  virtual ~ActivationSink() = default;

  virtual void write(const ActivationBatch& batch) = 0;

  /// Whether somebody waits for what is written, as at the other end of a pipe: then nothing is
  /// held back for sentences that have not come yet. Asked by the thread that reads.
  virtual bool is_awaited() const { return false; }

  /// Called after the last batch of each segment, the last segment of the input included; a run
  /// without sentences has one empty segment. Durable formats publish here.
  virtual void end_segment(const SegmentEnd& end) = 0;

  /// Called once, after the last end_segment, when the input has ended. Not called when the run was
  /// stopped or failed: what a sink has not published by then it abandons.
  virtual void finish() = 0;
};

}  // namespace elmo

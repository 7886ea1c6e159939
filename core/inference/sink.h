// Where activations go. io implements it; the pipeline calls it from one thread, in input order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
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

/// What a row of a pooled run is made of: the kept tokens of a sentence or of a document.
struct PooledRow {
  std::shared_ptr<const Document> document;
  std::uint64_t first_sentence = 0;  ///< number in the whole run; of those that have a kept token
  std::uint64_t line = 0;            ///< where that sentence begins
  std::uint64_t sentences = 0;       ///< that have a part in it
  std::uint64_t tokens = 0;          ///< likewise
  ByteSpan span;                     ///< from the first of these tokens to the last
  std::string text;                  ///< Sentence::text, of a document its id
};

/// Sentences with their activations, in input order. Views: valid during the call only.
struct ActivationBatch {
  std::uint64_t first_sentence = 0;     ///< number of sentences[0] in the whole run
  std::span<const Sentence> sentences;  ///< boundaries, where kept, are tokens `<S>` and `</S>`
                                        ///< with empty spans
  std::span<const float> activations;   ///< [kept tokens of all sentences, R, W], or of a pooled
                                        ///< run [pooled, R, W]; finite, and below
                                        ///< EmbedOptions::value_limit
  std::span<const std::uint64_t> numbers{};  ///< of the sentences in the whole run; empty where
                                             ///< they are consecutive
  std::span<const PooledRow> pooled{};  ///< what the rows of a pooled run are of, which may have
                                        ///< begun in a batch before; empty otherwise

  std::uint64_t number_of(std::size_t sentence) const {
    return numbers.empty() ? first_sentence + sentence : numbers[sentence];
  }
  /// Kept tokens of all sentences.
  std::size_t token_count() const {
    std::size_t count = 0;
    for (const Sentence& sentence : sentences) count += sentence.kept_count();
    return count;
  }
};

/// The end of a segment: all sentences up to here were handed over, and the run can be taken up
/// from here. The pipeline cuts segments where `EmbedOptions::segment_bytes` says; batches never
/// span two.
struct SegmentEnd {
  std::uint64_t next_sentence = 0;   ///< number of the first sentence that is not part of it; those
                                     ///< before that were not handed over have no kept token
  std::vector<float> carried_state;  ///< LSTM state after it where the state is carried, else empty

  // Counts of this segment alone, of all tokens that were read for it; see EmbedProgress.
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

// Activations of sentences: their layout, interfaces for writing and reading them, which io
// implements, and the check that an output can represent them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/inference/sentence.h"

namespace elmo {

/// The layout of one token's activations: R rows of W values.
struct ActivationLayout {
  /// Names: "x", "forward_1", "backward_1", …; or "top", "average", "mix".
  std::vector<std::string> rows;
  std::int64_t width = 0;  ///< W

  std::int64_t row_count() const { return static_cast<std::int64_t>(rows.size()); }  ///< R
  std::int64_t values_per_token() const { return row_count() * width; }
};

/// A layer's vector: a contiguous part of a token's R · W numbers.
struct TokenLayer {
  std::string name;  ///< "x", "1" … "L"; with a single row, its name: "top", "average", "mix"
  std::int64_t begin = 0;  ///< offset of its first number
  std::int64_t width = 0;  ///< P for x, the token without context; else 2P
};

/// The layers of activations with all rows: x, h_1 = [forward_1; backward_1], …, h_L (Peters et al.
/// 2018, section 3.2, except that their h_0 = [x; x], which has the same cosines as x). With a
/// single row: that row.
std::vector<TokenLayer> token_layers(const ActivationLayout& layout);

/// The source of one pooled row: the kept tokens of a sentence or a document.
struct PooledRow {
  std::shared_ptr<const Document> document;
  std::uint64_t first_sentence = 0;  ///< number of its first sentence in the whole run
  std::uint64_t line = 0;            ///< line where that sentence begins
  std::uint64_t sentences = 0;       ///< number of its sentences
  std::uint64_t tokens = 0;          ///< number of its tokens
  ByteSpan span{};                   ///< from the first of these tokens to the last
  std::string text;                  ///< Sentence::text, or the id of a document
};

/// Sentences with their activations, in input order. Views: valid during the call only.
struct ActivationBatch {
  std::uint64_t first_sentence = 0;     ///< number of sentences[0] in the whole run
  std::span<const Sentence> sentences;  ///< boundaries, if kept, are tokens `<S>` and `</S>` with
                                        ///< empty spans
  std::span<const float> activations;   ///< [kept tokens of all sentences, R, W], or in a pooled
                                        ///< run [pooled, R, W]; finite, and below
                                        ///< SinkTraits::value_limit
  std::span<const std::uint64_t> numbers{};  ///< of the sentences in the whole run; empty if
                                             ///< consecutive
  std::span<const PooledRow> pooled{};  ///< sources of a pooled run's rows, which may have begun in
                                        ///< an earlier batch; else empty

  std::uint64_t number_of(std::size_t sentence) const {
    return numbers.empty() ? first_sentence + sentence : numbers[sentence];
  }
  /// The number of kept tokens of all sentences.
  std::size_t token_count() const {
    std::size_t count = 0;
    for (const Sentence& sentence : sentences) count += sentence.kept_count();
    return count;
  }
};

/// The end of a segment: all sentences before it were written, and a run can resume here. Segments
/// are cut by SinkTraits::segment_bytes. A batch never spans two segments.
struct SegmentEnd {
  std::uint64_t next_sentence = 0;   ///< number of the first sentence after the segment; earlier
                                     ///< sentences that were not written have no kept token
  std::vector<float> carried_state;  ///< LSTM state after it if state is carried, else empty

  // Counts of this segment only, over all tokens read for it; see EmbedProgress.
  std::uint64_t truncated_tokens = 0;
  std::uint64_t unknown_tokens = 0;
};

/// Properties of a sink: the rows that it takes, and when.
struct SinkTraits {
  /// A consumer waits for the output, for example at the other end of a pipe: output is not held
  /// back to wait for more sentences. The numbers do not depend on it, except with `carry`.
  bool awaited = false;
  std::size_t value_bytes = 4;      ///< of one value in the sink, for segment_bytes
  std::uint64_t segment_bytes = 0;  ///< a segment ends before it exceeds this; 0: one segment
  /// Smallest magnitude that the sink cannot represent. Activations of this magnitude or more, or
  /// NaN, end the run. Infinity: the sink can represent all finite values.
  float value_limit = std::numeric_limits<float>::infinity();
};

/// Interface for writing activations. The pipeline calls it from one thread, in input order.
class ActivationSink {
 public:
  virtual ~ActivationSink() = default;

  /// Asked once, before the first write.
  virtual SinkTraits traits() const { return {}; }

  virtual void write(const ActivationBatch& batch) = 0;

  /// Called after a batch that nothing follows for now, if the activations are awaited: hand on
  /// what was written.
  virtual void flush() {}

  /// Called after the last batch of each segment, including the last segment of the input. A run
  /// without sentences has one empty segment. Durable formats publish here.
  virtual void end_segment(const SegmentEnd&) {}

  /// Called once, after the last end_segment, at the end of the input. Not called if the run was
  /// stopped or failed: a sink then abandons what it has not published.
  virtual void finish() {}
};

/// Consecutive sentences with their activations, as written to a sink.
struct ActivationBlock {
  std::uint64_t first_sentence = 0;      ///< number of sentences[0]
  std::vector<Sentence> sentences;       ///< boundaries, if kept, are among their tokens
  std::vector<float> activations;        ///< [tokens of all sentences, R, W]
  std::vector<std::uint64_t> numbers{};  ///< of the sentences in the whole run, if the source lists
                                         ///< only some of them or pooled rows; else empty

  ActivationBatch view() const { return {first_sentence, sentences, activations, numbers}; }
};

/// Keeps everything that is written, for short texts.
class KeepingSink final : public ActivationSink {
 public:
  void write(const ActivationBatch& batch) override;

  ActivationBlock block;
};

/// The maximum to read at once.
struct BlockLimit {
  std::size_t sentences = 1024;
  std::size_t tokens = 4096;
};

/// A range of the tokens of a source, numbered from 0.
struct TokenRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  ///< past the last

  std::uint64_t size() const { return end - begin; }
  bool operator==(const TokenRange&) const = default;
};

/// Sentences that can be read in any order and any number of times; sequential reading is fastest.
/// Memory is bounded by the size of the request. Errors: InputError for invalid data, SystemError
/// for a failed read, std::logic_error for a request past the end. One thread.
class ActivationSource {
 public:
  virtual ~ActivationSource() = default;

  virtual const ActivationLayout& layout() const = 0;
  virtual std::uint64_t sentence_begin() const = 0;  ///< number of the first sentence
  virtual std::uint64_t sentence_end() const = 0;    ///< one past the number of the last sentence
  virtual std::uint64_t token_count() const = 0;

  /// The range of tokens of sentence `number`.
  virtual TokenRange tokens_of(std::uint64_t number) = 0;

  /// Replaces `block` by sentences from `number` on: at least one, and further ones within `limit`.
  /// May return fewer even if more sentences follow.
  virtual void read(std::uint64_t number, const BlockLimit& limit, ActivationBlock& block) = 0;

  /// Reads the activations of `tokens` into `values` [tokens.size(), R, W].
  virtual void read_activations(TokenRange tokens, std::span<float> values) = 0;
};

/// Returns the index of the first value that is NaN or has a magnitude of `limit` or more, or
/// values.size() if all are in range. `limit` is positive; infinity finds values that are not
/// finite. Vectorized, in one pass.
std::size_t first_out_of_range(std::span<const float> values, float limit);

/// Throws NumericError for the out-of-range value `index` of the batch's activations. The message
/// names the sentence (number, document, line), the token, the row and the value.
[[noreturn]] void refuse_value(const ActivationBatch& batch, const ActivationLayout& layout,
                               std::size_t index, float limit);

}  // namespace elmo

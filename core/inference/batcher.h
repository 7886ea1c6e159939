// Forms batches of sentences that are computed together.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/inference/options.h"
#include "core/inference/sentence.h"
#include "core/matrix.h"
#include "core/model/bilm.h"
#include "core/model/lane_schedule.h"

namespace elmo {

/// Rows of a batch from `first` to `last`, inclusive.
struct RowReach {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

/// Sentences of one segment in input order, and their results. One thread at a time; the pipeline
/// decides which.
struct Batch {
  /// `token_of_row` values for `<S>` and `</S>`.
  static constexpr std::uint32_t kBegin = 0xFFFFFFFE;
  static constexpr std::uint32_t kEnd = 0xFFFFFFFF;

  std::uint64_t first_sentence = 0;  ///< number of the first sentence, included or left out
  std::uint64_t next_sentence = 0;   ///< one past the number of the last sentence
  std::uint64_t passed_tokens = 0;   ///< tokens of all these sentences, including those left out
  std::vector<Sentence> sentences;
  std::vector<std::uint64_t> numbers;  ///< number of each sentence in the whole run
  std::size_t tokens = 0;
  std::uint64_t text_bytes = 0;  ///< bytes of all tokens' text
  bool ends_segment = false;

  /// Rows of each sentence in `activations`. A sentence that repeats an earlier one of the batch
  /// has rows of its own, filled by copying; `copy_of` is the index of the earlier one.
  std::vector<SentenceRows> rows;
  std::vector<std::optional<std::size_t>> copy_of;
  /// For each sentence with rows: the rows that its output and its copies' output depend on.
  std::vector<RowReach> reach;
  std::uint32_t row_count = 0;
  AlignedVector<float> activations;  ///< [row_count, 2L+1, P]

  std::vector<std::string_view> distinct;   ///< distinct tokens, encoded; views into `sentences`
  std::vector<std::uint32_t> token_of_row;  ///< [row_count], index into `distinct`, kBegin or kEnd
  AlignedVector<float> vectors;             ///< [distinct, P]
  std::vector<std::size_t> to_encode;       ///< distinct tokens whose vector is not cached

  AlignedVector<float> selected;  ///< the output rows; see OutputLayers::apply
  std::size_t in_range = 0;       ///< number of its values before the first that cannot be written

  std::uint64_t truncated_tokens = 0;
  std::uint64_t unknown_tokens = 0;
};

/// Options for forming batches.
struct BatchOptions {
  std::size_t batch_tokens = 0;     ///< a batch ends before it exceeds this; computed boundaries
                                    ///< count, because they take as much memory
  std::uint64_t segment_bytes = 0;  ///< a segment ends before it exceeds this; 0: never
  std::optional<PoolUnit> unit{};   ///< unit of a row; segments end between units; nullopt: token
  std::uint64_t bytes_per_row = 0;  ///< bytes stored per row, without the tokens' text
  bool with_boundaries = false;     ///< compute the boundaries of each sentence too
  bool whole_sentences = false;     ///< the output depends on all rows of a sentence
  bool leave_out = true;            ///< skip sentences without kept tokens
  bool find_duplicates = true;
  std::uint64_t text_bytes = std::uint64_t{8} << 20;  ///< maximum text of a batch's tokens, unless
                                                      ///< a single sentence has more; typically a
                                                      ///< few hundred KiB
};

/// Forms batches from a source. Unless batches end early, they depend only on the options and the
/// sentences since the segment's start, so a run resumed at a segment computes the same batches.
/// One thread.
class Batcher {
 public:
  /// Calls `ends_early` with the current batch before it reads a sentence. If the result is true,
  /// the batch ends, but not its segment; if the batch has no sentence, reading ends. Once
  /// `stopped` is true, reads no more.
  Batcher(const Bilm& model, SentenceSource& source, BatchOptions options,
          std::uint64_t first_sentence, std::function<bool(const Batch&)> ends_early,
          const std::atomic<bool>& stopped);

  /// Returns the next batch, or null at the end of the input or after a stop. A batch without
  /// sentences marks the end of a segment: of an input without sentences, or of a segment whose
  /// last batch ended early.
  std::unique_ptr<Batch> next();

 private:
  bool take(Batch& batch);
  std::uint32_t row_count(const Sentence& sentence) const;
  void lay_out(Batch& batch) const;
  RowReach reach_of(const Sentence& sentence, const SentenceRows& rows) const;

  const Bilm& model_;
  SentenceSource& source_;
  BatchOptions options_;
  std::uint64_t next_sentence_;  // number of the pending sentence, or of the next one to read
  std::function<bool(const Batch&)> ends_early_;
  const std::atomic<bool>& stopped_;
  std::uint64_t segment_bytes_ = 0;  // bytes of the sentences in the segment so far
  bool in_segment_;                  // whether the current segment has not ended
  // Document of the last sentence in the segment, if units are documents.
  std::optional<std::uint32_t> document_;
  bool has_pending_ = false;
  Sentence pending_;  // read, but not yet in a batch
};

}  // namespace elmo

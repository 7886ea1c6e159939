// Sentences that are computed together.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/inference/sentence.h"
#include "core/inference/source.h"
#include "core/model/bilm.h"
#include "core/model/lane_schedule.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// Rows of a batch from `first` to `last`, both included.
struct RowReach {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

/// Sentences of one segment in input order, and what is computed for them. One thread changes it at
/// a time; which one is the pipeline's affair.
struct Batch {
  static constexpr std::uint32_t kBoundary = 0xFFFFFFFF;

  std::uint64_t first_sentence = 0;  ///< number of the first sentence that it took or passed over
  std::uint64_t next_sentence = 0;   ///< and the one past the last
  std::uint64_t passed_tokens = 0;   ///< of all these sentences, also those that are left out
  std::vector<Sentence> sentences;
  std::vector<std::uint64_t> numbers;  ///< of each in the whole run
  std::size_t tokens = 0;
  std::uint64_t text_bytes = 0;  ///< of all tokens
  bool ends_segment = false;

  /// Rows of each sentence in `activations`; a sentence that stands in the batch before has those
  /// of the first one's size, filled by copying, and `copy_of` says which that is.
  std::vector<SentenceRows> rows;
  std::vector<std::optional<std::size_t>> copy_of;
  /// Of each sentence with rows: those that something is made of, for it and for its copies.
  std::vector<RowReach> reach;
  std::uint32_t row_count = 0;
  AlignedVector<float> activations;  ///< [row_count, 2L+1, P]

  std::vector<std::string_view> distinct;   ///< tokens, each once; views into `sentences`
  std::vector<std::uint32_t> token_of_row;  ///< [row_count] index into `distinct`; kBoundary else
  AlignedVector<float> vectors;             ///< [distinct, P]
  std::vector<std::size_t> to_encode;       ///< those whose vector was not kept from before

  AlignedVector<float> selected;  ///< what is handed out, where that is not `activations`
  std::size_t in_range = 0;       ///< values of it before the first that cannot be written

  std::uint64_t truncated_tokens = 0;
  std::uint64_t unknown_tokens = 0;
  std::uint64_t duplicate_sentences = 0;
};

/// What one row of the output is of.
enum class RowUnit { token, sentence, document };

/// How batches are formed.
struct BatchOptions {
  std::size_t batch_tokens = 0;     ///< a batch ends before it outgrows this; boundaries that are
                                    ///< computed count, too, for they take as much room
  std::uint64_t segment_bytes = 0;  ///< a segment ends before it outgrows this; 0: never
  RowUnit unit = RowUnit::token;    ///< a segment ends where one of these does
  std::uint64_t bytes_per_row = 0;  ///< in the sink, the tokens' text not counted
  bool with_boundaries = false;     ///< compute the boundaries of each sentence too
  bool whole_sentences = false;     ///< all rows of a sentence have a part in what is handed out
  bool leave_out = true;            ///< pass over sentences of which no token is kept
  bool find_duplicates = true;
  std::uint64_t text_bytes = std::uint64_t{8} << 20;  ///< of the tokens of a batch, unless a single
                                                      ///< sentence has more; usual text has a
                                                      ///< few hundred KiB
};

/// Forms batches out of a source. Batches depend on the sentences since the segment's start and the
/// options only, so that a run resumed at a segment computes the same batches; unless batches end
/// early. One thread.
class Batcher {
 public:
  /// `ends_early` is asked before the batch in hand takes another sentence; where it says so the
  /// batch ends, but not the segment. Once `stopped` is true nothing more is read.
  Batcher(const Bilm& model, SentenceSource& source, BatchOptions options,
          std::uint64_t first_sentence, std::function<bool()> ends_early,
          const std::atomic<bool>& stopped);

  /// The next batch, or nothing at the end of the input and where reading was stopped. A batch
  /// without sentences comes at the end only, once: of an input without sentences, and of a segment
  /// whose last batch ended early.
  std::unique_ptr<Batch> next();

 private:
  bool read();
  bool take(Batch& batch);
  std::uint32_t row_count(const Sentence& sentence) const;
  void lay_out(Batch& batch) const;
  RowReach reach_of(const Sentence& sentence, const SentenceRows& rows) const;

  const Bilm& model_;
  SentenceSource& source_;
  BatchOptions options_;
  std::uint64_t next_sentence_;  // number of the one pending or, where there is none, to be read
  std::function<bool()> ends_early_;
  const std::atomic<bool>& stopped_;
  std::uint64_t segment_bytes_ = 0;  // of the sentences in the segment so far
  bool in_segment_;                  // that has not ended
  std::optional<std::uint32_t>
      document_;  // of the last sentence in the segment, where a unit is one
  bool has_pending_ = false;
  Sentence pending_;  // read, in no batch yet
};

}  // namespace elmo

// Sentences that are computed together.
#pragma once

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

/// Consecutive sentences of one segment, and what is computed for them. One thread changes it at a
/// time; which one is the pipeline's affair.
struct Batch {
  static constexpr std::uint32_t kBoundary = 0xFFFFFFFF;

  std::uint64_t first_sentence = 0;
  std::vector<Sentence> sentences;
  std::size_t tokens = 0;
  std::uint64_t text_bytes = 0;  ///< of all tokens
  bool ends_segment = false;

  /// Rows of each sentence in `activations`; a sentence that stands in the batch before has those
  /// of the first one's size, filled by copying, and `copy_of` tells which that is.
  std::vector<SentenceRows> rows;
  std::vector<std::optional<std::size_t>> copy_of;
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

/// How batches are formed.
struct BatchOptions {
  std::size_t batch_tokens = 0;       ///< a batch ends before it outgrows this
  std::uint64_t segment_bytes = 0;    ///< a segment ends before it outgrows this; 0: never
  std::uint64_t bytes_per_token = 0;  ///< in the sink, the token's text not counted
  bool with_boundaries = false;       ///< compute the boundaries of each sentence too
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
  /// batch ends, but not the segment.
  Batcher(const Bilm& model, SentenceSource& source, BatchOptions options,
          std::uint64_t first_sentence, std::function<bool()> ends_early);

  /// The next batch, or nothing at the end of the input. A batch without sentences comes at the end
  /// only, once: of an input without sentences, and of a segment whose last batch ended early.
  std::unique_ptr<Batch> next();

 private:
  bool read();
  void lay_out(Batch& batch) const;

  const Bilm& model_;
  SentenceSource& source_;
  BatchOptions options_;
  std::uint64_t next_sentence_;
  std::function<bool()> ends_early_;
  std::uint64_t segment_bytes_ = 0;  // of the sentences in the segment so far
  bool in_segment_;                  // that has not ended
  bool has_pending_ = false;
  Sentence pending_;  // read, in no batch yet
};

}  // namespace elmo

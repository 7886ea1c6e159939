// Where a stopped run resumes in its input: positions, a hash of everything that was read, and
// skipping what has been processed.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/inference/sentence.h"
#include "io/text/input/input_range.h"

namespace elmo {

/// A hash chain: the hash after a sentence is the hash of the previous hash and of the sentence
/// (its document, line, tokens and spans, and its number if only some of its tokens are kept). It
/// can therefore be continued after any sentence. Not thread-safe.
class InputHash {
 public:
  InputHash() : digest_(std::string(kDigits, '0')) {}
  /// Continues from a result of hex(); InputError for anything else.
  explicit InputHash(std::string hex);

  /// Adds a sentence; a sentence that is not kept at all changes nothing. `boundaries`: the first
  /// and last token are `<S>` and `</S>`, which are not part of the input; a sentence of zero
  /// tokens has neither.
  void add(const Sentence& sentence, std::uint64_t number, bool boundaries);

  const std::string& hex() const { return digest_; }
  bool operator==(const InputHash& other) const { return digest_ == other.digest_; }

 private:
  static constexpr std::size_t kDigits = 32;
  std::string digest_;
  std::string bytes_;  ///< bytes of one sentence, kept to reuse the memory
};

/// Where a resumed run starts to read its input.
struct ResumePosition {
  TextPosition text;
  std::string text_hash;       ///< TextSource::hash_before
  std::uint64_t sentence = 0;  ///< number of the sentence at this position
  std::uint64_t tokens = 0;    ///< tokens of the sentences before it
  std::uint64_t cut_sentences = 0;
  std::string input_hash;  ///< InputHash of the sentences before it
};

/// Questions of the writer of a run about its input.
struct InputAccount {
  /// Returns the last position at or before sentence `next`, or nothing if the input has none.
  /// `next` must not decrease. Errors: as for reading. Any thread.
  std::function<std::optional<ResumePosition>(std::uint64_t next)> position_before;
  /// Returns the counts of the part, once it has been read to its end; nothing if the input is not
  /// a part.
  std::function<std::optional<PartCounts>()> part_counts;
};

/// Keeps positions until a shard has ended after them, at most `kMax`. If there are more, positions
/// are dropped that are close to others relative to how far back they are. Reading is ahead of
/// writing by some sentences; the sentences that a resumed run reads again are a small fraction of
/// these for any input. Any thread.
class ResumePositions {
 public:
  static constexpr std::size_t kMax = 1024;

  /// Adds a position, which must be after all positions added before.
  void add(ResumePosition position);

  /// Returns the last kept position at or before sentence `next`, if any, and drops those before
  /// it. `next` must not decrease.
  std::optional<ResumePosition> last_before(std::uint64_t next);

  std::size_t size() const;

 private:
  void drop_within(std::uint64_t share);

  mutable std::mutex mutex_;
  std::vector<ResumePosition> positions_;  ///< in order
};

/// The point where a run continues.
struct ResumePoint {
  std::uint64_t next_sentence = 0;
  InputHash input;                         ///< hash of the sentences before
  std::vector<float> carried_state;        ///< SegmentEnd::carried_state of the last shard
  bool complete = false;                   ///< the input ends here
  std::optional<ResumePosition> position;  ///< where to start reading the input
};

/// Reads and drops the sentences of `source` that are already published. `source` begins at
/// `point.position` if there is one. It must yield what the run's sink received, so that it cuts
/// long sentences in the same way. Returns false if `stop`, which may be null, became true.
/// InputError if the input has changed: the sentences differ from those of the run, or a complete
/// run has more of them now.
bool skip_sentences(SentenceSource& source, const ResumePoint& point,
                    const std::atomic<bool>* stop = nullptr);

}  // namespace elmo

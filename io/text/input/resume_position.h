// Positions in an input from which a stopped run may resume, and the hash of everything before
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/inference/sentence.h"
#include "io/text/formats/format_reader.h"

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

/// A position in an input from which a resumed run reads on, and what has been read before it.
struct ResumePosition {
  std::uint64_t file = 0;      ///< index in the list of files
  std::uint64_t offset = 0;    ///< stored position in the file, in bytes
  std::uint64_t line = 1;      ///< line number of that byte
  ReadingCounters counters{};  ///< counts before it; `documents` is the number of the next document
  std::uint64_t first_file_documents = 0;  ///< see PartCounts; as far as known
  std::string text_hash{};                 ///< InputRange::hash_before of the position
  std::uint64_t sentence = 0;              ///< number of the sentence at this position
  std::uint64_t tokens = 0;                ///< tokens of the sentences before it
  std::uint64_t cut_sentences = 0;         ///< number cut among these sentences, before cutting
  std::string input_hash{};                ///< InputHash of these sentences
};

/// Keeps at most `kMax` positions, each until a shard has ended after it. If there are more, drops
/// positions whose distance to their neighbors is small compared with the number of sentences after
/// them. Reading is some sentences ahead of writing, and a resumed run reads only a small fraction
/// of that number again, for any input. Any thread.
class ResumePositions {
 public:
  static constexpr std::size_t kMax = 1024;

  /// Adds a position, which must be after all positions added before.
  void add(ResumePosition position);

  /// Returns the last kept position at or before sentence `next` and drops those before it;
  /// nothing if no position was kept. `next` must not decrease.
  std::optional<ResumePosition> last_before(std::uint64_t next);

  std::size_t size() const;

 private:
  void drop_within(std::uint64_t share);

  mutable std::mutex mutex_;
  std::vector<ResumePosition> positions_;  ///< in ascending order
};

}  // namespace elmo

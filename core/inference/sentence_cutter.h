// Limits the length of sentences, and so the memory for computing them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/inference/sentence.h"

namespace elmo {

/// Long enough for real sentences; longer ones are tables and lists.
inline constexpr std::size_t kDefaultMaxSentenceTokens = 10000;

/// Cuts sentences of more than `limit` tokens into pieces of `limit` tokens and a rest. Each piece
/// is a sentence with the same document and the line of its first token. One thread at a time.
class SentenceCutter final : public SentenceSource {
 public:
  /// `source` must outlive it. `limit` is at least 1.
  SentenceCutter(SentenceSource& source, std::size_t limit) : source_(source), limit_(limit) {}

  bool next(Sentence& sentence) override;
  bool next_would_wait() override;
  void stop_waiting() override { source_.stop_waiting(); }

  std::uint64_t cut_sentences() const { return cut_sentences_; }  ///< not the pieces

 private:
  SentenceSource& source_;
  std::size_t limit_;
  Sentence long_;             // the sentence being cut
  std::size_t position_ = 0;  // first token of long_ not yet in a piece
  std::uint64_t cut_sentences_ = 0;
};

}  // namespace elmo

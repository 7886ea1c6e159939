// Bounds the length of sentences, and with it the memory that computing them takes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/inference/source.h"

namespace elmo {

/// Long enough for what people write; longer "sentences" are tables and lists.
inline constexpr std::size_t kDefaultMaxSentenceTokens = 10000;

/// Cuts sentences of more than `limit` tokens into pieces of `limit` and the rest, each of which is
/// a sentence of its own with the same document and the line where its first token stands. One
/// thread at a time.
class SentenceCutter final : public SentenceSource {
 public:
  /// `source` has to outlive it; `limit` is at least 1.
  SentenceCutter(SentenceSource& source, std::size_t limit) : source_(source), limit_(limit) {}

  bool next(Sentence& sentence) override;
  bool next_would_wait() override;
  void stop_waiting() override { source_.stop_waiting(); }

  std::uint64_t cut_sentences() const { return cut_sentences_; }  ///< not the pieces

 private:
  SentenceSource& source_;
  std::size_t limit_;
  Sentence long_;             // what pieces are being cut from
  std::size_t position_ = 0;  // first token of long_ that is in no piece yet
  std::uint64_t cut_sentences_ = 0;
};

}  // namespace elmo

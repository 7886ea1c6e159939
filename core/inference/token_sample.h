// So many tokens of a corpus, each as likely as any other.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "core/inference/source.h"

namespace elmo {

/// The sentences of a source, each marking which of its tokens are in the sample: `size` of those
/// that it keeps, all of them where there are no more. The first next() reads the whole source
/// (algorithm R: Vitter 1985, which needs no number of tokens in advance) and keeps the sentences
/// that hold a token of the sample as it stands, no more than `size` and their text. The others
/// come, too, as sentences without tokens of which nothing is kept, so that all have their numbers.
/// The sample depends on source, size and seed only. One thread at a time.
class TokenSample final : public SentenceSource {
 public:
  /// `source` and `stopped` have to outlive it. Once `stopped` is true, next() throws
  /// ReadingStopped instead of reading on. `size` is at least 1.
  TokenSample(SentenceSource& source, std::size_t size, std::uint64_t seed,
              const std::atomic<bool>& stopped);

  bool next(Sentence& sentence) override;

 private:
  struct Held {
    Sentence sentence;
    std::vector<std::uint32_t> tokens;  // of the sample, in any order
  };
  struct Place {
    std::uint64_t sentence = 0;
    std::uint32_t token = 0;
  };

  void draw();
  void put(std::size_t slot, const Place& place);

  SentenceSource& source_;
  std::size_t size_;
  std::uint64_t seed_;
  const std::atomic<bool>& stopped_;
  bool drawn_ = false;
  std::vector<Place> slots_;
  std::map<std::uint64_t, Held> held_;  // by number
  std::uint64_t sentences_ = 0;         // of the source
  std::uint64_t next_ = 0;
};

}  // namespace elmo

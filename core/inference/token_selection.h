// Sources that keep only some tokens of each sentence.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "core/inference/sentence.h"

namespace elmo {

/// The sentences of a source, each keeping only the tokens in the sample. The sample has `size` of
/// the source's kept tokens, or all if there are fewer. The first next() reads the whole source
/// with algorithm R (Vitter 1985), which does not need the number of tokens in advance. It holds
/// only the sentences with a token in the current sample, at most `size`, and their text. All other
/// sentences are returned without tokens and keep nothing, so that sentence numbers do not change.
/// The sample depends on source, size and seed only. One thread at a time.
class TokenSample final : public SentenceSource {
 public:
  /// `source` and `stopped` must outlive it. Once `stopped` is true, next() throws ReadingStopped
  /// instead of reading on. `size` is at least 1.
  TokenSample(SentenceSource& source, std::size_t size, std::uint64_t seed,
              const std::atomic<bool>& stopped);

  bool next(Sentence& sentence) override;

 private:
  struct Held {
    Sentence sentence;
    std::vector<std::uint32_t> tokens;  // tokens in the sample, in any order
  };
  struct Position {
    std::uint64_t sentence = 0;
    std::uint32_t token = 0;
  };

  void draw();
  void put(std::size_t slot, const Position& position);

  SentenceSource& source_;
  std::size_t size_;
  std::uint64_t seed_;
  const std::atomic<bool>& stopped_;
  bool drawn_ = false;
  std::vector<Position> slots_;
  std::map<std::uint64_t, Held> held_;  // by sentence number
  std::uint64_t sentences_ = 0;         // sentences of the source
  std::uint64_t next_ = 0;
};

/// Returns whether to keep a token, regardless of its position.
using TokenChoice = std::function<bool(std::string_view token)>;

/// The sentences of a source, each keeping only the chosen tokens. One thread at a time.
class SelectingSource final : public SentenceSource {
 public:
  /// `source` must outlive it.
  SelectingSource(SentenceSource& source, TokenChoice chosen)
      : source_(source), chosen_(std::move(chosen)) {}

  bool next(Sentence& sentence) override;

 private:
  SentenceSource& source_;
  TokenChoice chosen_;
};

}  // namespace elmo

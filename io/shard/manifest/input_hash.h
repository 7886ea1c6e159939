// A 16-byte hash of everything a run has read, which can be stored and continued.
#pragma once

#include <cstdint>
#include <string>

#include "core/inference/sentence.h"

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

}  // namespace elmo

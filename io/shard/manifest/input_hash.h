// What a run has read so far, in 16 bytes that can be stored and continued.
#pragma once

#include <cstdint>
#include <string>

#include "core/inference/sentence.h"

namespace elmo {

/// A chain: the hash after a sentence is the hash of the hash before it and of the sentence (its
/// document, line, tokens and spans, and its number where not all of its tokens are kept), so it
/// can be taken up after any sentence. Not shared between threads.
class InputHash {
 public:
  InputHash() : digest_(std::string(kDigits, '0')) {}
  /// Continues from what hex() returned; InputError for anything else.
  explicit InputHash(std::string hex);

  /// Nothing changes for a sentence that is left out. `boundaries`: the first and the last token
  /// are `<S>` and `</S>`, no part of the input; a sentence of zero tokens has none.
  void add(const Sentence& sentence, std::uint64_t number, bool boundaries);

  const std::string& hex() const { return digest_; }
  bool operator==(const InputHash& other) const { return digest_ == other.digest_; }

 private:
  static constexpr std::size_t kDigits = 32;
  std::string digest_;
  std::string bytes_;  ///< of one sentence, kept for its memory
};

}  // namespace elmo

// Addresses and emoticons, which are found in a chunk before words and signs.
#pragma once

#include <cstddef>
#include <string>

#include "io/text/segment/chunk.h"
#include "io/text/segment/token_rules.h"

namespace elmo {

/// Returns the position after the URL, e-mail address or host name that begins at `at`; otherwise
/// `at`.
std::size_t address_end(const Chunk& chunk, const TokenRules& rules, std::size_t at);

/// Finds emoticons in one chunk after the other, from left to right.
class EmoticonFinder {
 public:
  /// `rules` must outlive this object.
  explicit EmoticonFinder(const TokenRules& rules) : rules_(rules) {}

  /// Must be called when the chunk changes.
  void begin_chunk() { repeats_end_ = 0; }

  /// Returns the position after the emoticon that begins at `at`; otherwise `at`.
  std::size_t end(const Chunk& chunk, std::size_t at);

 private:
  std::size_t repeats_end(const Chunk& chunk, std::size_t at);

  const TokenRules& rules_;
  // The run of one sign that was examined last.
  std::size_t repeats_begin_ = 0;
  std::size_t repeats_end_ = 0;
  std::u32string candidate_;
};

}  // namespace elmo

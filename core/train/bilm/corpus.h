// A tokenized corpus as numbers, for reading sentences in any order.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace elmo {

/// The types of a corpus are its distinct tokens, numbered from kFirstType. The two numbers before
/// are the sentence boundaries.
inline constexpr std::uint32_t kBeginSentenceType = 0;
inline constexpr std::uint32_t kEndSentenceType = 1;
inline constexpr std::uint32_t kFirstType = 2;

/// Views of sentences without their boundaries, none of them empty. The owner of the data decides
/// where it is stored: io maps it from a file. Immutable; any thread.
struct Corpus {
  std::span<const std::uint32_t> tokens;         ///< the type of each token
  std::span<const std::uint64_t> sentence_ends;  ///< offset after the last token of each sentence
  std::span<const std::string> types;            ///< types[i] spells type kFirstType + i
  std::span<const std::int32_t>
      targets;  ///< the row of each type in the softmax, [types + kFirstType]
  /// The row of each type in the table of a word-level model, [types + kFirstType]; empty for other
  /// models.
  std::span<const std::int32_t> rows = {};

  std::uint64_t sentence_count() const { return sentence_ends.size(); }
  std::span<const std::uint32_t> sentence(std::uint64_t index) const {
    const std::uint64_t begin = index == 0 ? 0 : sentence_ends[index - 1];
    return tokens.subspan(begin, sentence_ends[index] - begin);
  }
};

}  // namespace elmo

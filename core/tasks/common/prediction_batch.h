// Batch size in prediction.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace elmo {

inline constexpr std::size_t kPredictedExamples = 32;
inline constexpr std::uint64_t kPredictedTokens = 8192;  ///< fewer examples if texts are long

/// Returns the end of the batch that begins with example `begin` of `examples`. It has at least one
/// example. tokens_of(i) is the number of tokens of example i.
template <typename TokensOf>
std::size_t predicted_batch_end(std::size_t begin, std::size_t examples,
                                const TokensOf& tokens_of) {
  std::size_t end = begin;
  for (std::uint64_t tokens = 0;
       end < std::min(begin + kPredictedExamples, examples) && tokens < kPredictedTokens; ++end) {
    tokens += static_cast<std::uint64_t>(tokens_of(end));
  }
  return end;
}

}  // namespace elmo

// Tokens of a corpus with their activations, in a shuffled order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/inference/activation_source.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// Visits a source's tokens once per epoch, with a bounded part of them in memory. Runs of adjacent
/// tokens are read in a shuffled order, and the tokens of all runs in memory are shuffled again.
/// The order depends only on seed and epoch. One thread.
class TokenStream {
 public:
  /// Uses runs of 256 tokens, as many as fit into about 64 MiB. `source` must outlive this object
  /// and have tokens.
  TokenStream(ActivationSource& source, std::uint64_t seed);

  /// Uses other sizes, in tokens. The part in memory, `kept`, is a multiple of `run`.
  TokenStream(ActivationSource& source, std::uint64_t seed, std::uint64_t run, std::uint64_t kept);

  void begin_epoch(std::uint64_t epoch);

  /// Advances to the next part. Returns false at the end of the epoch.
  bool next();

  /// Token numbers of the current part, and their activations [tokens, R, W]. Valid until next().
  std::span<const std::uint64_t> tokens() const { return tokens_; }
  std::span<const float> activations() const { return shuffled_; }

 private:
  ActivationSource& source_;
  std::uint64_t seed_;
  std::uint64_t run_;
  std::uint64_t runs_at_once_;
  std::uint64_t epoch_ = 0;
  std::uint64_t next_run_ = 0;
  std::vector<std::uint64_t> tokens_;
  AlignedVector<float> read_;  // of one run
  AlignedVector<float> shuffled_;
};

}  // namespace elmo

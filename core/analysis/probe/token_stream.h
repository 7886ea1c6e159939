// The tokens of a corpus with their activations, in a shuffled order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/inference/activation_source.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// Goes through a source's tokens once an epoch, and keeps a bounded part of them in memory: runs
/// of neighbors are read in a shuffled order, and the tokens of all runs that are kept are
/// shuffled again. The order depends on seed and epoch only. One thread.
class TokenStream {
 public:
  /// Runs of 256 tokens, as many as fit about 64 MiB. `source` outlives this and has tokens.
  TokenStream(ActivationSource& source, std::uint64_t seed);

  /// The same with other sizes, in tokens; the part kept is a multiple of the run.
  TokenStream(ActivationSource& source, std::uint64_t seed, std::uint64_t run, std::uint64_t kept);

  void begin_epoch(std::uint64_t epoch);

  /// Goes to the next part; false at the end of the epoch.
  bool next();

  /// Of the part: which tokens, and their activations [tokens, R, W]. Valid until next().
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

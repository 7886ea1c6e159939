// Character embedding, convolution, max-pooling and activation in one step, by table lookup.
#pragma once

#include <cstdint>
#include <span>

#include "core/kernels/encoder_kernels.h"
#include "core/matrix.h"

namespace elmo {

/// One bank of filters of one width. What a character adds to a filter depends only on the
/// character and its position under the filter, and there are few characters. The table T_i = E·W_i
/// for each position i holds these values, where E is the embedding and W the filters. The
/// convolution of a word is then a sum of table rows, without products. Immutable, so threads may
/// share it.
class CharacterTable {
 public:
  /// `embedding` is [characters, C]; `weights` [width, C, n] and `bias` [n] are as published.
  CharacterTable(std::span<const float> embedding, std::int64_t embedding_dim,
                 std::span<const float> weights, std::span<const float> bias, std::int64_t width);

  std::int64_t width() const { return width_; }
  std::int64_t filters() const { return filters_; }

  /// Computes to[w · stride + f] = activation(b_f + max over p of Σ_i T_i[words[w][p + i]][f]),
  /// over all positions p where the filter lies within words[w]. Each word has at least width()
  /// ids, all below the number of characters. Any thread.
  void pool(std::span<const std::span<const std::int32_t>> words, Activation activation, float* to,
            std::int64_t stride) const;

 private:
  std::int64_t width_;
  std::int64_t filters_;
  std::int64_t characters_;
  AlignedVector<float> sums_;  // [blocks of filters, width, characters, filters of a block]
  AlignedVector<float> bias_;  // [n], padded to whole blocks
  bool finite_;                // whether all sums are finite
};

}  // namespace elmo

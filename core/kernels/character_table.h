// Character embedding, convolution, maximum and activation in one, by looking sums up.
#pragma once

#include <cstdint>
#include <span>

#include "core/kernels/activation.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// One bank of filters of one width. What a character adds to a filter depends on the character and
/// its place under the filter only, and there are few characters: with the embedding E and the
/// filters W these numbers are tables, T_i = E·W_i for each place i, and the convolution of a word
/// is a sum of rows of them instead of products. Immutable, so threads may share it.
class CharacterTable {
 public:
  /// `embedding` [characters, C]; `weights` [width, C, n] and `bias` [n], as published.
  CharacterTable(std::span<const float> embedding, std::int64_t embedding_dim,
                 std::span<const float> weights, std::span<const float> bias, std::int64_t width);

  std::int64_t width() const { return width_; }
  std::int64_t filters() const { return filters_; }

  /// to[w · stride + f] = activation(b_f + max over p of Σ_i T_i[words[w][p + i]][f]), p running
  /// over all places where the filter lies within words[w], which has at least width() ids below
  /// the number of characters. Any thread.
  void pool(std::span<const std::span<const std::int32_t>> words, Activation activation, float* to,
            std::int64_t stride) const;

 private:
  std::int64_t width_;
  std::int64_t filters_;
  std::int64_t characters_;
  AlignedVector<float> sums_;  // [blocks of filters, width, characters, filters of a block]
  AlignedVector<float> bias_;  // [n], whole blocks
  bool finite_;                // all sums are
};

}  // namespace elmo

// The character encoder without its products: max-pooling and highway layers, for training also
// backward, and convolution, pooling and activation in one step by table lookup.
#pragma once

#include <cstdint>
#include <span>

#include "core/enum_table.h"
#include "core/matrix.h"

namespace elmo {

enum class Activation { relu, tanh };

inline constexpr auto kActivations =
    enum_table<Activation>({{"relu", Activation::relu}, {"tanh", Activation::tanh}});

/// Computes to[f] = activation(max over positions p of from[p · filters + f]). Requires positions ≥
/// 1. Any thread.
void max_pool(const float* from, std::int64_t positions, std::int64_t filters,
              Activation activation, float* to);

/// Computes to[f] = activation(max over positions p of from[p · filters + f]) and where[f] = the
/// first p of that maximum. Requires positions ≥ 1. Any thread.
void max_pool(const float* from, std::int64_t positions, std::int64_t filters,
              Activation activation, float* to, std::int32_t* where);

/// Arguments for the gradient of one token's pooled convolutions with one bank. Only one position
/// of each filter reached the output, so only that one has a gradient. This takes far fewer
/// operations than a dense backward convolution.
struct PooledConvolutionGradient {
  std::int64_t filters = 0;        ///< n
  std::int64_t window = 0;         ///< values under a filter: width · C
  std::int64_t embedding_dim = 0;  ///< C
  Activation activation = Activation::relu;
  const float* features = nullptr;          ///< [n], outputs of max_pool
  const float* feature_gradient = nullptr;  ///< [n]
  const std::int32_t* where = nullptr;      ///< [n]
  const float* characters = nullptr;        ///< [length, C], the token's embedded characters
  const float* weights = nullptr;           ///< [n, window]: filters transposed, one after another
  float* weight_gradient = nullptr;         ///< [n, window], added to
  float* bias_gradient = nullptr;           ///< [n], added to
  float* character_gradient = nullptr;      ///< [length, C], added to
};
void pooled_convolution_backward(const PooledConvolutionGradient& gradient);

/// A highway layer (Srivastava et al. 2015): y = g·r + (1 − g)·x. `carry`: in, sums; out, g =
/// sigmoid(carry + b_carry). `transform`: in, sums; out, r = relu(transform + b_transform). All are
/// [rows, filters] without gaps, biases [filters]. `y` may be `x`. Any thread.
void highway_forward(float* carry, const float* carry_bias, float* transform,
                     const float* transform_bias, const float* x, std::int64_t rows,
                     std::int64_t filters, float* y);

/// The gradient of highway_forward. `carry` and `transform`: in, its results; out, the gradients of
/// the sums. `gradient`: in, with respect to y; out, the part with respect to x that does not pass
/// through the products. Any thread.
void highway_backward(float* carry, float* transform, const float* x, std::int64_t rows,
                      std::int64_t filters, float* gradient);

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

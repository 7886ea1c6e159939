// What a biLM is made of: the meaning of options.json, without its spelling.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/kernels/activation.h"

namespace elmo {

/// One bank of character convolutions: `count` filters over `width` consecutive characters.
struct CharFilter {
  std::int64_t width = 0;
  std::int64_t count = 0;
  bool operator==(const CharFilter&) const = default;
};

/// The character encoder (Peters et al. 2018, section 3.1; Kim et al. 2016).
struct CharCnnOptions {
  std::int64_t embedding_dim = 0;             ///< C
  std::vector<CharFilter> filters;            ///< the counts add up to F
  std::int64_t n_highway = 0;                 ///< highway layers, may be 0
  std::int64_t max_characters_per_token = 0;  ///< ids a token is padded or cut to
  Activation activation = Activation::relu;

  std::int64_t filter_count() const {  ///< F
    std::int64_t sum = 0;
    for (const CharFilter& filter : filters) sum += filter.count;
    return sum;
  }
  bool operator==(const CharCnnOptions&) const = default;
};

/// The stacked LSTMs; both directions have the same shape and separate weights.
struct LstmOptions {
  std::int64_t dim = 0;             ///< D
  std::int64_t projection_dim = 0;  ///< P; there is no projection where P == D
  std::int64_t n_layers = 0;        ///< L
  std::optional<float> cell_clip;   ///< |c| is held to this; none: not clipped
  /// |h| is held to this where h is projected (as TensorFlow's LSTMCell does); none: not clipped.
  std::optional<float> proj_clip;
  bool use_skip_connections = false;
  /// Added to the sum of the forget gate beside its bias, as TensorFlow's cells do: published
  /// biases are without it.
  float forget_offset = 1.0F;
  bool operator==(const LstmOptions&) const = default;
};

// Bounds of what a model may be: far past any real one, and small enough that the size in bytes of
// any parameter, and of all of them, fits 64 bits.
inline constexpr std::int64_t kMaxDimension = std::int64_t{1} << 20;  ///< D, P, C, F
inline constexpr std::int64_t kMaxLayers = 256;                       ///< L, highway layers
inline constexpr std::int64_t kMaxVocabulary = std::int64_t{1} << 28;
inline constexpr std::int64_t kMaxCharactersPerToken = std::int64_t{1} << 16;
/// `<S>` is framed by the ids of a word's begin and end.
inline constexpr std::int64_t kMinCharactersPerToken = 3;

/// A whole model. Tokens come from characters (`char_cnn`) or, in a word-level model, from a table
/// of `n_tokens_vocab` rows of P.
struct ModelOptions {
  LstmOptions lstm;
  std::optional<CharCnnOptions> char_cnn;
  std::int64_t n_tokens_vocab = 0;

  std::int64_t activation_rows() const { return 2 * lstm.n_layers + 1; }  ///< R = 2L+1
  bool operator==(const ModelOptions&) const = default;
};

/// Throws InputError where a size is out of bounds, a filter is wider than a token, or a clip is
/// not positive, naming the option as options.json spells it, what was found and what was expected.
void validate(const ModelOptions& options);

}  // namespace elmo

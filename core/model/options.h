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
  /// Rows of the character embedding where a dictionary of code points has them (see
  /// char_dictionary.h); 0: characters are bytes of UTF-8.
  std::int64_t dictionary_size = 0;

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
  std::int64_t projection_dim = 0;  ///< P
  std::int64_t n_layers = 0;        ///< L
  std::optional<float> cell_clip;   ///< |c| is held to this; none: not clipped
  /// |h| is held to this where h is projected (as TensorFlow's LSTMCell does); none: not clipped.
  std::optional<float> proj_clip;
  bool use_skip_connections = false;
  /// Added to the sum of the forget gate beside its bias, as TensorFlow's cells do: published
  /// biases are without it.
  float forget_offset = 1.0F;
  bool always_projects = false;  ///< also where P == D; published models do not

  bool has_projection() const { return always_projects || dim != projection_dim; }
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

/// The least of them where a dictionary has the characters: `<bos>`, spelt, has to fit its frame.
inline constexpr std::int64_t kMinDictionaryCharacters = 7;

/// A whole model. The vector x of a token is
///
///   x = [row of the word; features of the characters] · W + b
///
/// with one of the two parts or both: `char_cnn` makes the features, a table of `n_tokens_vocab`
/// rows has the words. Without the projection W, x is that part itself. Published models have one
/// part, and no projection where it is P wide.
struct ModelOptions {
  LstmOptions lstm;
  std::optional<CharCnnOptions> char_cnn;
  std::int64_t n_tokens_vocab = 0;
  std::int64_t word_dim = 0;  ///< width of a word's row; 0: P
  /// Code points of a token, from its first on, that the table is asked for; 0: all.
  std::int64_t word_characters = 0;
  bool always_projects = false;  ///< also where the parts are P wide together

  bool has_words() const { return !char_cnn || n_tokens_vocab > 0; }
  std::int64_t word_width() const { return word_dim > 0 ? word_dim : lstm.projection_dim; }

  /// Width of the parts together.
  std::int64_t token_width() const {
    return (has_words() ? word_width() : 0) + (char_cnn ? char_cnn->filter_count() : 0);
  }
  bool has_projection() const { return always_projects || token_width() != lstm.projection_dim; }
  std::int64_t activation_rows() const { return 2 * lstm.n_layers + 1; }  ///< R = 2L+1
  bool operator==(const ModelOptions&) const = default;
};

/// Throws InputError where a size is out of bounds, a filter is wider than a token, or a clip is
/// not positive, naming the option as options.json spells it, what was found and what was expected.
void validate(const ModelOptions& options);

}  // namespace elmo

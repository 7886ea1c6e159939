// The architecture of a biLM: the contents of options.json, independent of its format; presets, and
// the computing cost.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/kernels/encoder_kernels.h"

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
  std::int64_t max_characters_per_token = 0;  ///< number of ids to which a token is padded or cut
  Activation activation = Activation::relu;
  /// Rows of the character embedding with a dictionary of code points (see characters.h); 0:
  /// characters are bytes of UTF-8.
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
  std::optional<float> cell_clip;   ///< |c| is clipped to this; nullopt: not clipped
  /// |h| is clipped to this if h is projected, as in TensorFlow's LSTMCell; nullopt: not clipped.
  std::optional<float> proj_clip;
  bool use_skip_connections = false;
  /// Added to the forget gate's sum in addition to its bias, as in TensorFlow's cells. Published
  /// biases do not include it.
  float forget_offset = 1.0F;
  bool always_projects = false;  ///< projects even if P == D; false in published models

  bool has_projection() const { return always_projects || dim != projection_dim; }
  bool operator==(const LstmOptions&) const = default;
};

// Limits of a model's sizes. They are far above any real model and small enough that the size in
// bytes of each parameter, and of all together, fits in 64 bits.
inline constexpr std::int64_t kMaxDimension = std::int64_t{1} << 20;  ///< D, P, C, F
inline constexpr std::int64_t kMaxLayers = 256;                       ///< L, highway layers
inline constexpr std::int64_t kMaxVocabulary = std::int64_t{1} << 28;
inline constexpr std::int64_t kMaxCharactersPerToken = std::int64_t{1} << 16;
/// `<S>` is framed by the ids of a word's begin and end.
inline constexpr std::int64_t kMinCharactersPerToken = 3;

/// Like kMinCharactersPerToken, for models with a dictionary: the 5 characters of `<bos>` and the
/// ids of a word's begin and end must fit.
inline constexpr std::int64_t kMinDictionaryCharacters = 7;

/// A whole model. The vector x of a token is
///
///   x = [row of the word; features of the characters] · W + b
///
/// with one or both of the two parts: `char_cnn` computes the features, and a table of
/// `n_tokens_vocab` rows has the words. Without the projection W, x is that part itself. Published
/// models have one part, and no projection if that part has width P.
struct ModelOptions {
  LstmOptions lstm;
  std::optional<CharCnnOptions> char_cnn;
  std::int64_t n_tokens_vocab = 0;
  std::int64_t word_dim = 0;  ///< width of a word's row; 0: P
  /// Number of leading code points by which a token is looked up in the table; 0: all.
  std::int64_t word_characters = 0;
  bool always_projects = false;  ///< projects even if the parts have width P together

  bool has_words() const { return !char_cnn || n_tokens_vocab > 0; }
  std::int64_t word_width() const { return word_dim > 0 ? word_dim : lstm.projection_dim; }

  /// Sum of the widths of the parts.
  std::int64_t token_width() const {
    return (has_words() ? word_width() : 0) + (char_cnn ? char_cnn->filter_count() : 0);
  }
  bool has_projection() const { return always_projects || token_width() != lstm.projection_dim; }
  std::int64_t activation_rows() const { return 2 * lstm.n_layers + 1; }  ///< R = 2L+1
  bool operator==(const ModelOptions&) const = default;
};

/// Throws InputError if a size is out of bounds, a filter is wider than a token, or a clip is not
/// positive. The message names the option as in options.json, the value found and the value
/// expected.
void validate(const ModelOptions& options);

/// "tiny", "small", "medium", "original".
std::span<const std::string_view> preset_names();

/// Returns the architecture of this name; nothing if the name is unknown. small, medium and
/// original are the published architectures, with 13.6, 28.0 and 93.6 million parameters. tiny is
/// the architecture of elmo-tiny-en, with 5.4 million.
std::optional<ModelOptions> preset(std::string_view name);

/// Floating-point operations of the LSTMs' matrix products per token. A multiplication and an
/// addition count as two. Gates and activations are not counted; as a rule of thumb, the products
/// hide their cost.
double lstm_flop_per_token(const ModelOptions& options);

/// Floating-point operations of the matrix products and convolutions for the vector of one distinct
/// token, counted in the same way, without activations and pooling; 0 if it is a table row.
double encoder_flop_per_token(const ModelOptions& options);

}  // namespace elmo

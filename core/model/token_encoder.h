// Computes the token vectors x_k that the LSTMs read: layer 0 of the biLM.
//
// A token's parts are the row of its word in a table, and the features of its characters:
// embedding, convolutions, max-pool and highway layers (Peters et al. 2018, section 3.1; Kim et al.
// 2016). A model has one part or both; see ModelOptions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/kernels/convolution.h"
#include "core/kernels/packed_matrix.h"
#include "core/kernels/precision.h"
#include "core/matrix.h"
#include "core/model/characters.h"
#include "core/model/options.h"
#include "core/model/stored_parameters.h"
#include "core/model/vocabulary.h"

namespace elmo {

/// Tokens are padded to a multiple of this length before convolution, so that short tokens do not
/// pay for the padding of long ones and few primitives are needed.
inline constexpr std::int64_t kTokenLengthStep = 6;

/// Maximum number of tokens per product.
inline constexpr std::size_t kEncoderTokens = 256;

/// One thread's memory for encoding. Not for two threads at once.
struct EncoderWorkspace {
  GemmWorkspace gemm;
  FloatProduct product;
  ConvolutionWorkspace convolution;
  AlignedVector<float> characters;  // embedded characters of a group of tokens
  AlignedVector<float> convolved;   // one bank's output for them
  AlignedVector<float> features;    // [tokens, F]
  AlignedVector<float> carry;       // [tokens, F]
  AlignedVector<float> transform;   // [tokens, F]
  AlignedVector<float> parts;       // [tokens, token_width()] of models with words
  AlignedVector<float> projected;   // [tokens, P]
};

/// Encodes tokens. Immutable, so threads may share it, each with its own workspace.
class TokenEncoder {
 public:
  /// Packs the encoder's parameters and releases them. Products are computed in `precision`, which
  /// the CPU must support. RequestError if `lexicon` lacks the vocabulary or the dictionary that
  /// `model` needs. InputError if the size of either differs from its table's.
  TokenEncoder(const ModelOptions& model, Lexicon lexicon, StoredParameters& parameters,
               Precision precision);

  /// Writes the vector of each token to `to` [tokens, P]. It depends on that token only. A token
  /// spelled `<S>` is text.
  void encode(std::span<const std::string_view> tokens, float* to,
              EncoderWorkspace& workspace) const;

  /// The vectors [P] of the sentence boundaries `<S>` and `</S>`.
  std::span<const float> begin_sentence() const { return begin_sentence_; }
  std::span<const float> end_sentence() const { return end_sentence_; }

  /// Returns whether the model reads only the first characters of the token.
  bool truncates(std::string_view token) const;

  /// Returns whether the model does not know the token and uses `<UNK>` instead.
  bool is_unknown(std::string_view token) const;

 private:
  class CharFeatures;
  class WordTable;

  // x = v·W + b: projects a token's parts v to its vector x.
  struct Projection {
    PackedMatrix weights;  // [token_width(), P]
    AlignedVector<float> bias;
  };

  // The character ids of one token, the number of ids that are not padding, and the token's row in
  // the word table; each empty if the model does not have that part.
  struct Token {
    std::vector<std::int32_t> ids;
    std::size_t id_count = 0;
    std::span<const float> row = {};
  };

  void encode_group(std::span<const Token> tokens, std::span<const std::size_t> indices, float* to,
                    EncoderWorkspace& ws) const;
  const float* join(std::span<const Token> tokens, std::span<const std::size_t> indices,
                    EncoderWorkspace& ws) const;
  void project(const float* parts, std::span<const std::size_t> indices, float* to,
               EncoderWorkspace& ws) const;
  AlignedVector<float> encode_boundary(Boundary boundary) const;

  std::int64_t width_;  // P
  std::shared_ptr<const CharFeatures> characters_;
  std::shared_ptr<const WordTable> words_;
  std::optional<Projection> projection_;
  AlignedVector<float> begin_sentence_;
  AlignedVector<float> end_sentence_;
};

}  // namespace elmo

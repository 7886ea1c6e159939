// Computes the token vectors x_k that the LSTMs read: layer 0 of the biLM.
//
// The projection at the end of a token encoder.
//
// The word embedding table of a model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/kernels/convolution.h"
#include "core/kernels/gemm.h"
#include "core/kernels/precision.h"
#include "core/model/options.h"
#include "core/model/stored_parameters.h"
#include "core/model/vocabulary.h"
#include "core/tensor/aligned.h"

namespace elmo {

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
  AlignedVector<float> joined;      // [tokens, width of a word's row + F]
  AlignedVector<float> projected;   // [tokens, P]
};

/// Encodes tokens. Immutable, so threads may share it, each with its own workspace.
class TokenEncoder {
 public:
  virtual ~TokenEncoder() = default;

  /// Writes the vector of each token to `to` [tokens, P]. It depends on that token only. A token
  /// spelled `<S>` is text.
  virtual void encode(std::span<const std::string_view> tokens, float* to,
                      EncoderWorkspace& workspace) const = 0;

  /// The vectors [P] of the sentence boundaries `<S>` and `</S>`.
  virtual std::span<const float> begin_sentence() const = 0;
  virtual std::span<const float> end_sentence() const = 0;

  /// Returns whether the model reads only the first characters of the token.
  virtual bool truncates(std::string_view token) const = 0;

  /// Returns whether the model does not know the token and uses `<UNK>` instead.
  virtual bool is_unknown(std::string_view token) const = 0;
};

/// x = v·W + b: projects a token's features v to its vector x. Immutable, so threads may share it.
class InputProjection {
 public:
  /// Packs W [inputs, P] for products in `precision` and releases both parameters.
  InputProjection(const AffineIndex& index, StoredParameters& parameters, Precision precision);

  /// Writes x of row i of `rows` to to[indices[i] · P …]. `rows` has no gaps and has room for
  /// GemmWorkspace::padded_rows(indices.size()) rows. Uses `product` and `projected` of `ws`.
  void apply(const float* rows, std::span<const std::size_t> indices, float* to,
             EncoderWorkspace& ws) const;

 private:
  PackedMatrix weights_;
  AlignedVector<float> bias_;
};

/// Looks up the rows of words. Immutable, so threads may share it.
class WordTable {
 public:
  /// Takes the table [V, width] from `parameters`. InputError if the vocabulary's size is not V.
  WordTable(const ModelOptions& options, Vocabulary vocabulary, StoredParameters& parameters);

  std::int64_t width() const { return width_; }

  /// The row of a token, cut as the options say, or of unknown words if it is not in the
  /// vocabulary.
  std::span<const float> row(std::string_view token) const;
  std::span<const float> begin_sentence() const;
  std::span<const float> end_sentence() const;

  bool contains(std::string_view token) const;   ///< whether the cut token is in the vocabulary
  bool truncates(std::string_view token) const;  ///< whether the token is cut

 private:
  std::string_view cut(std::string_view token) const;
  std::span<const float> at(std::int64_t row) const;

  Vocabulary vocabulary_;
  std::int64_t width_;
  std::size_t characters_;  // length to which a token is cut; 0: not cut
  AlignedVector<float> values_;
};

}  // namespace elmo

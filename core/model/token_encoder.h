// Computes the token vectors x_k that the LSTMs read: layer 0 of the biLM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/kernels/convolution.h"
#include "core/kernels/float_product.h"
#include "core/kernels/gemm.h"
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

}  // namespace elmo

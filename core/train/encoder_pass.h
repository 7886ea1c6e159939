// The character encoder over distinct tokens, forward and backward.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/kernels/products.h"
#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/tensor/aligned.h"
#include "core/train/corpus.h"

namespace elmo {

/// Keeps between `forward` and `backward` what the gradient needs. Not for two threads at once.
class EncoderPass {
 public:
  /// `types` spells the corpus's types and has to outlive it.
  EncoderPass(const ModelOptions& model, std::span<const std::string> types, Precision precision);

  /// Row rows[i] of `to` [.., P] becomes the vector of types[rows[i]]; other rows are not touched.
  void forward(const Parameters& parameters, std::span<const std::uint32_t> types,
               std::vector<std::int64_t> rows, float* to);

  /// `gradient` [.., P]: with respect to what `forward` made. Replaces the encoder's entries of
  /// `gradients` (in the order of Parameters::all()).
  void backward(const Parameters& parameters, const float* gradient,
                std::vector<AlignedVector<float>>& gradients);

 private:
  struct Bank {
    CharFilter filter;
    std::int64_t first = 0;         // its first filter among all F
    AlignedVector<float> filters;   // [n, width·C], the weights transposed
    AlignedVector<float> gradient;  // likewise
  };
  struct Highway {
    AlignedVector<float> input;      // [n, F]
    AlignedVector<float> gate;       // [n, F]
    AlignedVector<float> candidate;  // [n, F]
  };
  // The characters of one token, [length, C] from `first` on in characters_.
  struct Word {
    std::int64_t first = 0;
    std::int64_t length = 0;
  };

  void embed(const Parameters& parameters, std::span<const std::uint32_t> types);
  void convolve(const Parameters& parameters);
  void convolve_backward(const Parameters& parameters, const float* gradient,
                         std::vector<AlignedVector<float>>& gradients);

  Products products_;
  CharCnnOptions options_;
  std::span<const std::string> spelled_;
  std::int64_t filters_;     // F
  std::int64_t projection_;  // P
  std::int64_t widest_ = 0;
  std::vector<Bank> banks_;
  std::vector<Highway> highways_;

  std::vector<std::int64_t> rows_;  // of `to`, by token
  std::vector<Word> words_;
  std::vector<std::int32_t> ids_;    // character ids of all words
  AlignedVector<float> characters_;  // [ids, C], and room for a window past the last
  AlignedVector<float> windows_;     // what the filters of a bank see, of a group of tokens
  AlignedVector<float> convolved_;
  AlignedVector<float> pooled_;            // [n, F]
  std::vector<std::int32_t> where_;        // [n, F]: where the maximum was
  AlignedVector<float> features_;          // [n, F]: after the highways
  AlignedVector<float> outputs_;           // [n, P]
  AlignedVector<float> feature_gradient_;  // [n, F]
  AlignedVector<float> character_gradient_;
};

}  // namespace elmo

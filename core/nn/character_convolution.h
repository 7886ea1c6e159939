// Vectors of words from their characters: embedded, convolved and pooled.
#pragma once

#include <cstdint>
#include <vector>

#include "core/kernels/activation.h"
#include "core/kernels/products.h"
#include "core/nn/gradient_share.h"
#include "core/nn/parameter.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// Words as numbers of characters, one after another. Each has at least as many as the widest
/// filter.
struct SpelledWords {
  struct Word {
    std::int64_t first = 0;  ///< of `ids`
    std::int64_t length = 0;
  };

  std::vector<std::int32_t> ids;
  std::vector<Word> words;
};

/// How the weights of a bank of filters lie: [width, C, filters], as published models have them, or
/// [filters, width, C].
enum class FilterLayout { filters_last, filters_first };

/// y_f = activation(b_f + max over p of c_p … c_{p+width−1} · W_f), c being the embedded characters
/// of a word, for the filters of all banks (Kim et al. 2016). Not for two threads at once.
class CharacterConvolution {
 public:
  struct Bank {
    Parameter* weights = nullptr;
    Parameter* bias = nullptr;  ///< [filters]
    std::int64_t width = 0;
  };
  struct Options {
    Activation activation = Activation::relu;
    FilterLayout layout = FilterLayout::filters_last;
    Precision precision = Precision::float32;  ///< of the forward products
  };

  /// `characters` [ids, C] and the banks' parameters have to outlive it.
  CharacterConvolution(Parameter& characters, std::vector<Bank> banks, const Options& options);

  std::int64_t outputs() const { return filters_; }  ///< F

  /// `words`, at least one, have to stay as they are until backward. Gives [words, F], which lasts
  /// as long.
  const float* forward(const SpelledWords& words);

  /// `gradient` [words, F]: with respect to what forward gave. Adds the parameters'.
  void backward(const float* gradient, GradientShare& gradients);

 private:
  void convolve(std::size_t begin, std::size_t end);

  Parameter& characters_;
  std::vector<Bank> banks_;
  Options options_;
  Products products_;
  std::int64_t columns_;  // C
  std::int64_t filters_ = 0;
  std::int64_t widest_ = 0;

  const SpelledWords* words_ = nullptr;
  AlignedVector<float> embedded_;  // [ids, C], and room for a window past the last
  AlignedVector<float> windows_;   // what the filters of a bank see, of a group of words
  AlignedVector<float> sums_;
  AlignedVector<float> pooled_;      // [words, F]
  std::vector<std::int32_t> where_;  // [words, F]: where the maximum was
  AlignedVector<float> embedded_gradient_;
  AlignedVector<float> transposed_;           // a bank's weights [filters, width · C]
  AlignedVector<float> transposed_gradient_;  // likewise
};

}  // namespace elmo

// Word vectors from characters: embedding, convolution and pooling.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/kernels/encoder_kernels.h"
#include "core/kernels/product.h"
#include "core/matrix.h"
#include "core/nn/layer.h"

namespace elmo {

/// Words as consecutive character ids. Each word has at least as many ids as the widest filter.
struct SpelledWords {
  struct Word {
    std::int64_t first = 0;  ///< index of its first id in `ids`
    std::int64_t length = 0;
  };

  std::vector<std::int32_t> ids;
  std::vector<Word> words;
};

/// Layout of a bank's weights: [width, C, filters], as in published models, or [filters, width, C].
enum class FilterLayout { filters_last, filters_first };

/// y_f = activation(b_f + max over p of c_p … c_{p+width−1} · W_f) for the filters of all banks,
/// where c are the embedded characters of a word (Kim et al. 2016). Not for two threads at once.
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
    Precision precision = Precision::float32;  ///< precision of the forward products
  };

  /// `characters` [ids, C] and the banks' parameters must outlive it.
  CharacterConvolution(Parameter& characters, std::vector<Bank> banks, const Options& options);

  /// Returns [words, F], valid until backward. `words` (at least one) must not change until
  /// backward.
  const float* forward(const SpelledWords& words);

  /// `gradient` [words, F]: with respect to the result of forward. Adds to the parameters'
  /// gradients.
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
  AlignedVector<float> embedded_;  // [ids, C], and room for one window past the last id
  AlignedVector<float> windows_;   // filter windows of a bank for a group of words
  AlignedVector<float> sums_;
  AlignedVector<float> pooled_;      // [words, F]
  std::vector<std::int32_t> where_;  // [words, F]: position of the maximum
  AlignedVector<float> embedded_gradient_;
  AlignedVector<float> transposed_;           // a bank's weights [filters, width · C]
  AlignedVector<float> transposed_gradient_;  // [filters, width · C]
};

/// A convolution with one bank of filters and ReLU over the bytes of a token, framed by a begin and
/// an end mark. Reads at most the first 64 bytes. Not for two threads at once.
class CharacterCnn {
 public:
  /// Parameters NAME/characters [259, columns], NAME/W [filters, width · columns] and NAME/b
  /// [filters], all zero.
  CharacterCnn(const std::string& name, std::int64_t columns, std::int64_t filters,
               std::int64_t width);
  CharacterCnn(const CharacterCnn&) = delete;
  CharacterCnn& operator=(const CharacterCnn&) = delete;

  std::int64_t outputs() const { return bias_.shape[0]; }
  std::vector<Parameter*> parameters() { return {&characters_, &weights_, &bias_}; }
  void initialize(std::uint64_t seed);

  /// Writes the vectors of the tokens to `to` [tokens, ..] from column `column` on. Computes equal
  /// tokens once.
  void forward(std::span<const std::string_view> tokens, Matrix& to, std::int64_t column);

  /// `gradient`: as `to` in forward.
  void backward(const Matrix& gradient, std::int64_t column);

 private:
  void spell(std::span<const std::string_view> tokens);

  std::int64_t width_;
  Parameter characters_;
  Parameter weights_;
  Parameter bias_;
  GradientShare gradients_{true};
  CharacterConvolution convolution_;

  SpelledWords words_;                 // distinct tokens of the batch
  std::vector<std::int64_t> word_of_;  // by token
  AlignedVector<float> gradient_;      // [words, filters]
};

}  // namespace elmo

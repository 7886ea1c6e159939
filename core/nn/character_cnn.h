// Token vectors from bytes: a small convolution trained with its task.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/nn/character_convolution.h"
#include "core/nn/layer.h"

namespace elmo {

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

// Vectors of tokens from their bytes: a small convolution that is trained with its task.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/nn/layer.h"

namespace elmo {

/// y_f = relu(b_f + max over p of c_p … c_{p+width−1} · W_f), c being the embedded bytes of a token
/// between a sign for its beginning and one for its end. At most the first 64 bytes are read. Not
/// for two threads at once.
class CharacterCnn {
 public:
  /// Parameters NAME/characters [259, columns], NAME/W [filters, width · columns] and NAME/b
  /// [filters], all zero.
  CharacterCnn(const std::string& name, std::int64_t columns, std::int64_t filters,
               std::int64_t width);

  std::int64_t outputs() const { return bias_.shape[0]; }
  std::vector<Parameter*> parameters() { return {&characters_, &weights_, &bias_}; }
  void initialize(std::uint64_t seed);

  /// Columns `column` … of `to` [tokens, ..] become the vectors of the tokens. Equal tokens are
  /// computed once.
  void forward(std::span<const std::string_view> tokens, Matrix& to, std::int64_t column);

  /// `gradient` as `to` in forward.
  void backward(const Matrix& gradient, std::int64_t column);

 private:
  struct Word {
    std::int64_t first = 0;  // its first character in embedded_
    std::int64_t length = 0;
  };

  void spell(std::span<const std::string_view> tokens);

  std::int64_t columns_;
  std::int64_t width_;
  Parameter characters_;
  Parameter weights_;
  Parameter bias_;

  std::vector<Word> words_;            // distinct tokens of the batch
  std::vector<std::int64_t> word_of_;  // by token
  std::vector<std::int32_t> ids_;      // characters of all words
  AlignedVector<float> embedded_;      // [ids, columns]
  AlignedVector<float> windows_;       // what the filters see, of some words
  AlignedVector<float> sums_;
  AlignedVector<float> features_;    // [words, filters]
  std::vector<std::int32_t> where_;  // [words, filters]: where the maximum was
  AlignedVector<float> feature_gradient_;
  AlignedVector<float> embedded_gradient_;
};

}  // namespace elmo

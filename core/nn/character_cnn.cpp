#include "core/nn/character_cnn.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/kernels/encoder_training.h"
#include "core/kernels/optimizer_kernels.h"
#include "core/kernels/sgemm.h"
#include "core/nn/initialize.h"

namespace elmo {

namespace {

constexpr std::size_t kMostBytes = 64;
// Ids of characters: 0 pads words that are shorter than the filters, then bytes, then edges.
constexpr std::int32_t kPadding = 0;
constexpr std::int32_t kFirstByte = 1;
constexpr std::int32_t kBegin = 257;
constexpr std::int32_t kEnd = 258;
constexpr std::int64_t kCharacters = 259;

// Words convolved together: their sums stay in the second-level cache until they are pooled.
constexpr std::size_t kGroupWords = 32;

}  // namespace

CharacterCnn::CharacterCnn(const std::string& name, std::int64_t columns, std::int64_t filters,
                           std::int64_t width)
    : columns_(columns),
      width_(width),
      characters_(name + "/characters", {kCharacters, columns}),
      weights_(name + "/W", {filters, width * columns}),
      bias_(name + "/b", {filters}) {
  characters_.decays = bias_.decays = false;
}

void CharacterCnn::initialize(std::uint64_t seed) {
  fill_uniform(characters_.values, std::sqrt(3.0F / static_cast<float>(columns_)),
               parameter_key(characters_, seed));
  initialize_glorot(weights_, seed);
  std::fill(bias_.values.begin(), bias_.values.end(), 0.0F);
}

void CharacterCnn::spell(std::span<const std::string_view> tokens) {
  std::unordered_map<std::string_view, std::int64_t> known;
  words_.clear();
  word_of_.clear();
  ids_.clear();
  for (const std::string_view token : tokens) {
    const auto [found, is_new] = known.try_emplace(token, static_cast<std::int64_t>(words_.size()));
    word_of_.push_back(found->second);
    if (!is_new) continue;
    Word word;
    word.first = static_cast<std::int64_t>(ids_.size());
    ids_.push_back(kBegin);
    for (const char byte : token.substr(0, kMostBytes)) {
      ids_.push_back(kFirstByte + static_cast<unsigned char>(byte));
    }
    ids_.push_back(kEnd);
    while (static_cast<std::int64_t>(ids_.size()) < word.first + width_) ids_.push_back(kPadding);
    word.length = static_cast<std::int64_t>(ids_.size()) - word.first;
    words_.push_back(word);
  }
}

void CharacterCnn::forward(std::span<const std::string_view> tokens, Matrix& to,
                           std::int64_t column) {
  spell(tokens);
  const std::int64_t filters = outputs();
  const std::int64_t window = width_ * columns_;
  const auto characters = static_cast<std::int64_t>(ids_.size());
  // Windows that reach over the end of a word are computed and not looked at.
  grow(embedded_, (characters + width_) * columns_);
  for (std::int64_t i = 0; i < characters; ++i) {
    std::copy_n(characters_.values.data() + ids_[static_cast<std::size_t>(i)] * columns_, columns_,
                embedded_.data() + i * columns_);
  }
  grow(features_, static_cast<std::int64_t>(words_.size()) * filters);
  where_.resize(words_.size() * static_cast<std::size_t>(filters));
  for (std::size_t begin = 0; begin < words_.size(); begin += kGroupWords) {
    const std::size_t end = std::min(begin + kGroupWords, words_.size());
    const std::int64_t first = words_[begin].first;
    const std::int64_t positions = words_[end - 1].first + words_[end - 1].length - first;
    grow(windows_, positions * window);
    grow(sums_, positions * filters);
    for (std::int64_t p = 0; p < positions; ++p) {
      std::copy_n(embedded_.data() + (first + p) * columns_, window, windows_.data() + p * window);
      std::copy(bias_.values.begin(), bias_.values.end(), sums_.data() + p * filters);
    }
    multiply({windows_.data(), window}, {weights_.values.data(), window, true}, positions, filters,
             window, sums_.data(), filters, Result::added);
    for (std::size_t i = begin; i < end; ++i) {
      const std::int64_t offset = static_cast<std::int64_t>(i) * filters;
      max_pool(sums_.data() + (words_[i].first - first) * filters, words_[i].length - width_ + 1,
               filters, Activation::relu, features_.data() + offset, where_.data() + offset);
    }
  }
  for (std::size_t n = 0; n < word_of_.size(); ++n) {
    std::copy_n(features_.data() + word_of_[n] * filters, filters,
                to.row(static_cast<std::int64_t>(n)) + column);
  }
}

void CharacterCnn::backward(const Matrix& gradient, std::int64_t column) {
  const std::int64_t filters = outputs();
  const auto words = static_cast<std::int64_t>(words_.size());
  feature_gradient_.assign(static_cast<std::size_t>(words * filters), 0.0F);
  for (std::size_t n = 0; n < word_of_.size(); ++n) {
    add(gradient.row(static_cast<std::int64_t>(n)) + column, filters,
        feature_gradient_.data() + word_of_[n] * filters);
  }
  const auto characters = static_cast<std::int64_t>(ids_.size());
  embedded_gradient_.assign(static_cast<std::size_t>(characters * columns_), 0.0F);
  PooledConvolutionGradient task;
  task.filters = filters;
  task.window = width_ * columns_;
  task.embedding_dim = columns_;
  task.weights = weights_.values.data();
  task.weight_gradient = weights_.gradient.data();
  task.bias_gradient = bias_.gradient.data();
  for (std::int64_t word = 0; word < words; ++word) {
    const std::int64_t first = words_[static_cast<std::size_t>(word)].first * columns_;
    task.features = features_.data() + word * filters;
    task.feature_gradient = feature_gradient_.data() + word * filters;
    task.where = where_.data() + word * filters;
    task.characters = embedded_.data() + first;
    task.character_gradient = embedded_gradient_.data() + first;
    pooled_convolution_backward(task);
  }
  for (std::int64_t i = 0; i < characters; ++i) {
    add(embedded_gradient_.data() + i * columns_, columns_,
        characters_.gradient.data() + ids_[static_cast<std::size_t>(i)] * columns_);
  }
}

}  // namespace elmo

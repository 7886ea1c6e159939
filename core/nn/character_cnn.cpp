#include "core/nn/character_cnn.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/kernels/optimizer_kernels.h"
#include "core/nn/initialize.h"

namespace elmo {

namespace {

constexpr std::size_t kMaxWordBytes = 64;
// Character ids: 0 pads words shorter than the filters, then the bytes, then the begin and end
// marks.
constexpr std::int32_t kPadding = 0;
constexpr std::int32_t kFirstByte = 1;
constexpr std::int32_t kBegin = 257;
constexpr std::int32_t kEnd = 258;
constexpr std::int64_t kCharacters = 259;

}  // namespace

CharacterCnn::CharacterCnn(const std::string& name, std::int64_t columns, std::int64_t filters,
                           std::int64_t width)
    : width_(width),
      characters_(name + "/characters", {kCharacters, columns}),
      weights_(name + "/W", {filters, width * columns}),
      bias_(name + "/b", {filters}),
      convolution_(characters_, {{&weights_, &bias_, width}},
                   {.layout = FilterLayout::filters_first}) {
  characters_.decays = bias_.decays = false;
}

void CharacterCnn::initialize(std::uint64_t seed) {
  fill_uniform(characters_.values, std::sqrt(3.0F / static_cast<float>(characters_.shape[1])),
               parameter_key(characters_, seed));
  initialize_glorot(weights_, seed);
  std::fill(bias_.values.begin(), bias_.values.end(), 0.0F);
}

void CharacterCnn::spell(std::span<const std::string_view> tokens) {
  std::unordered_map<std::string_view, std::int64_t> known;
  std::vector<std::int32_t>& ids = words_.ids;
  words_.words.clear();
  word_of_.clear();
  ids.clear();
  for (const std::string_view token : tokens) {
    const auto [found, is_new] =
        known.try_emplace(token, static_cast<std::int64_t>(words_.words.size()));
    word_of_.push_back(found->second);
    if (!is_new) continue;
    const auto first = static_cast<std::int64_t>(ids.size());
    ids.push_back(kBegin);
    for (const char byte : token.substr(0, kMaxWordBytes)) {
      ids.push_back(kFirstByte + static_cast<unsigned char>(byte));
    }
    ids.push_back(kEnd);
    while (static_cast<std::int64_t>(ids.size()) < first + width_) ids.push_back(kPadding);
    words_.words.push_back({first, static_cast<std::int64_t>(ids.size()) - first});
  }
}

void CharacterCnn::forward(std::span<const std::string_view> tokens, Matrix& to,
                           std::int64_t column) {
  spell(tokens);
  const float* features = convolution_.forward(words_);
  for (std::size_t n = 0; n < word_of_.size(); ++n) {
    std::copy_n(features + word_of_[n] * outputs(), outputs(),
                to.row(static_cast<std::int64_t>(n)) + column);
  }
}

void CharacterCnn::backward(const Matrix& gradient, std::int64_t column) {
  gradient_.assign(words_.words.size() * static_cast<std::size_t>(outputs()), 0.0F);
  for (std::size_t n = 0; n < word_of_.size(); ++n) {
    add(gradient.row(static_cast<std::int64_t>(n)) + column, outputs(),
        gradient_.data() + word_of_[n] * outputs());
  }
  convolution_.backward(gradient_.data(), gradients_);
}

}  // namespace elmo

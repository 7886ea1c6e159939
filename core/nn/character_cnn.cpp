#include "core/nn/character_cnn.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "core/kernels/optimizer_kernels.h"

namespace elmo {
namespace {

// Words convolved together: few enough that their sums stay in the L2 cache until they are pooled.
constexpr std::size_t kGroupWords = 32;

void transpose(const float* from, std::int64_t rows, std::int64_t columns, float* to) {
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      to[column * rows + row] = from[row * columns + column];
    }
  }
}

// to [columns, rows] += fromᵀ.
void add_transposed(const float* from, std::int64_t rows, std::int64_t columns, float* to) {
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      to[column * rows + row] += from[row * columns + column];
    }
  }
}

std::int64_t filters_of(const CharacterConvolution::Bank& bank) { return bank.bias->shape[0]; }

}  // namespace

CharacterConvolution::CharacterConvolution(Parameter& characters, std::vector<Bank> banks,
                                           const Options& options)
    : characters_(characters),
      banks_(std::move(banks)),
      options_(options),
      products_(options.precision),
      columns_(characters.shape[1]) {
  for (const Bank& bank : banks_) {
    filters_ += filters_of(bank);
    widest_ = std::max(widest_, bank.width);
  }
}

const float* CharacterConvolution::forward(const SpelledWords& words) {
  words_ = &words;
  const auto ids = static_cast<std::int64_t>(words.ids.size());
  // Windows that extend past the end of a word are computed but not used.
  grow(embedded_, (ids + widest_) * columns_);
  for (std::int64_t i = 0; i < ids; ++i) {
    std::copy_n(characters_.values.data() + words.ids[static_cast<std::size_t>(i)] * columns_,
                columns_, embedded_.data() + i * columns_);
  }
  const std::size_t size = words.words.size() * static_cast<std::size_t>(filters_);
  grow(pooled_, static_cast<std::int64_t>(size));
  where_.resize(size);
  for (std::size_t begin = 0; begin < words.words.size(); begin += kGroupWords) {
    convolve(begin, std::min(begin + kGroupWords, words.words.size()));
  }
  return pooled_.data();
}

void CharacterConvolution::convolve(std::size_t begin, std::size_t end) {
  const std::vector<SpelledWords::Word>& words = words_->words;
  const std::int64_t first = words[begin].first;
  const std::int64_t positions = words[end - 1].first + words[end - 1].length - first;
  std::int64_t first_filter = 0;
  for (const Bank& bank : banks_) {
    const std::int64_t filters = filters_of(bank);
    const std::int64_t window = bank.width * columns_;
    grow(windows_, positions * window);
    grow(sums_, positions * filters);
    for (std::int64_t p = 0; p < positions; ++p) {
      std::copy_n(embedded_.data() + (first + p) * columns_, window, windows_.data() + p * window);
      std::copy_n(bank.bias->values.data(), filters, sums_.data() + p * filters);
    }
    const bool filters_first = options_.layout == FilterLayout::filters_first;
    const ConstFloatView weights =
        filters_first ? ConstFloatView(bank.weights->values.data(), filters, window).transposed()
                      : ConstFloatView(bank.weights->values.data(), window, filters);
    products_.multiply({windows_.data(), positions, window}, weights,
                       {sums_.data(), positions, filters}, Beta::one);
    for (std::size_t i = begin; i < end; ++i) {
      const std::int64_t offset = static_cast<std::int64_t>(i) * filters_ + first_filter;
      max_pool(sums_.data() + (words[i].first - first) * filters, words[i].length - bank.width + 1,
               filters, options_.activation, pooled_.data() + offset, where_.data() + offset);
    }
    first_filter += filters;
  }
}

void CharacterConvolution::backward(const float* gradient, GradientShare& gradients) {
  const std::vector<SpelledWords::Word>& words = words_->words;
  const auto ids = static_cast<std::int64_t>(words_->ids.size());
  embedded_gradient_.assign(static_cast<std::size_t>(ids * columns_), 0.0F);
  std::int64_t first_filter = 0;
  for (const Bank& bank : banks_) {
    const std::int64_t filters = filters_of(bank);
    const std::int64_t window = bank.width * columns_;
    AlignedVector<float>& weight_gradient = gradients.of(*bank.weights);

    PooledConvolutionGradient task;
    task.filters = filters;
    task.window = window;
    task.embedding_dim = columns_;
    task.activation = options_.activation;
    task.bias_gradient = gradients.of(*bank.bias).data();
    const bool filters_first = options_.layout == FilterLayout::filters_first;
    if (filters_first) {
      task.weights = bank.weights->values.data();
      task.weight_gradient = weight_gradient.data();
    } else {
      grow(transposed_, filters * window);
      transpose(bank.weights->values.data(), window, filters, transposed_.data());
      transposed_gradient_.assign(static_cast<std::size_t>(filters * window), 0.0F);
      task.weights = transposed_.data();
      task.weight_gradient = transposed_gradient_.data();
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::int64_t offset = static_cast<std::int64_t>(i) * filters_ + first_filter;
      task.features = pooled_.data() + offset;
      task.feature_gradient = gradient + offset;
      task.where = where_.data() + offset;
      task.characters = embedded_.data() + words[i].first * columns_;
      task.character_gradient = embedded_gradient_.data() + words[i].first * columns_;
      pooled_convolution_backward(task);
    }
    if (!filters_first) {
      add_transposed(transposed_gradient_.data(), filters, window, weight_gradient.data());
    }
    first_filter += filters;
  }
  float* character_gradient = gradients.of(characters_).data();
  for (std::int64_t i = 0; i < ids; ++i) {
    add(embedded_gradient_.data() + i * columns_, columns_,
        character_gradient + words_->ids[static_cast<std::size_t>(i)] * columns_);
  }
}

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

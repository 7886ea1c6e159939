#include "core/train/encoder_pass.h"

#include <algorithm>
#include <utility>

#include "core/kernels/encoder_training.h"
#include "core/kernels/optimizer_kernels.h"
#include "core/model/char_ids.h"

namespace elmo {

namespace {

// Tokens convolved together: their convolutions stay in the second-level cache until they are
// pooled.
constexpr std::size_t kGroupTokens = 32;

void transpose(const float* from, std::int64_t rows, std::int64_t columns, float* to) {
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      to[column * rows + row] = from[row * columns + column];
    }
  }
}

const CharCnnIndex& index(const Parameters& parameters) { return *parameters.index().char_cnn; }

const AlignedVector<float>& values(const Parameters& parameters, std::size_t index) {
  return parameters[index].values;
}

}  // namespace

EncoderPass::EncoderPass(const ModelOptions& model, std::span<const std::string> types,
                         Precision precision)
    : products_(precision),
      options_(*model.char_cnn),
      spelled_(types),
      filters_(model.char_cnn->filter_count()),
      projection_(model.lstm.projection_dim) {
  std::int64_t first = 0;
  for (const CharFilter& filter : options_.filters) {
    Bank bank;
    bank.filter = filter;
    bank.first = first;
    first += filter.count;
    widest_ = std::max(widest_, filter.width);
    banks_.push_back(std::move(bank));
  }
  highways_.resize(static_cast<std::size_t>(options_.n_highway));
}

void EncoderPass::embed(const Parameters& parameters, std::span<const std::uint32_t> types) {
  const std::int64_t dim = options_.embedding_dim;
  const AlignedVector<float>& embedding = values(parameters, index(parameters).embedding);
  words_.clear();
  ids_.clear();
  std::vector<std::int32_t> ids(static_cast<std::size_t>(options_.max_characters_per_token));
  for (const std::int64_t row : rows_) {
    const std::uint32_t type = types[static_cast<std::size_t>(row)];
    std::size_t id_count = 0;
    if (type == kBeginSentenceType) {
      id_count = boundary_ids(kBeginSentenceId, ids);
    } else if (type == kEndSentenceType) {
      id_count = boundary_ids(kEndSentenceId, ids);
    } else {
      id_count = char_ids(spelled_[type - kFirstType], ids);
    }
    // Windows that see only padding are all alike: one of them is enough for the maximum.
    const std::int64_t length =
        std::min(static_cast<std::int64_t>(id_count) + widest_, options_.max_characters_per_token);
    words_.push_back({static_cast<std::int64_t>(ids_.size()), length});
    ids_.insert(ids_.end(), ids.begin(), ids.begin() + length);
  }
  const auto count = static_cast<std::int64_t>(ids_.size());
  grow(characters_, (count + widest_) * dim);
  for (std::int64_t i = 0; i < count; ++i) {
    std::copy_n(embedding.data() + ids_[static_cast<std::size_t>(i)] * dim, dim,
                characters_.data() + i * dim);
  }
}

void EncoderPass::convolve(const Parameters& parameters) {
  const std::int64_t dim = options_.embedding_dim;
  for (std::size_t begin = 0; begin < words_.size(); begin += kGroupTokens) {
    const std::size_t end = std::min(begin + kGroupTokens, words_.size());
    const std::int64_t first = words_[begin].first;
    const std::int64_t positions = words_[end - 1].first + words_[end - 1].length - first;
    for (std::size_t b = 0; b < banks_.size(); ++b) {
      const Bank& bank = banks_[b];
      const AffineIndex& affine = index(parameters).banks[b];
      // Windows that reach over the end of a word are computed and not looked at.
      const std::int64_t count = bank.filter.count;
      const std::int64_t window = bank.filter.width * dim;
      const float* bias = values(parameters, affine.bias).data();
      grow(windows_, positions * window);
      grow(convolved_, positions * count);
      for (std::int64_t p = 0; p < positions; ++p) {
        std::copy_n(characters_.data() + (first + p) * dim, window, windows_.data() + p * window);
        std::copy_n(bias, count, convolved_.data() + p * count);
      }
      products_.multiply({windows_.data(), window},
                         {values(parameters, affine.weights).data(), count}, positions, count,
                         window, convolved_.data(), count, Result::added);
      for (std::size_t i = begin; i < end; ++i) {
        const std::int64_t offset = static_cast<std::int64_t>(i) * filters_ + bank.first;
        max_pool(convolved_.data() + (words_[i].first - first) * count,
                 words_[i].length - bank.filter.width + 1, count, options_.activation,
                 pooled_.data() + offset, where_.data() + offset);
      }
    }
  }
}

void EncoderPass::forward(const Parameters& parameters, std::span<const std::uint32_t> types,
                          std::vector<std::int64_t> rows, float* to) {
  rows_ = std::move(rows);
  if (rows_.empty()) return;  // products of no rows are refused
  const auto count = static_cast<std::int64_t>(rows_.size());
  const std::int64_t size = count * filters_;
  grow(pooled_, size);
  grow(features_, size);
  grow(outputs_, count * projection_);
  where_.resize(static_cast<std::size_t>(size));
  embed(parameters, types);
  convolve(parameters);

  std::copy_n(pooled_.data(), size, features_.data());
  for (std::size_t k = 0; k < highways_.size(); ++k) {
    Highway& highway = highways_[k];
    const auto& [carry, transform] = index(parameters).highways[k];
    grow(highway.input, size);
    grow(highway.gate, size);
    grow(highway.candidate, size);
    std::copy_n(features_.data(), size, highway.input.data());
    products_.multiply({highway.input.data(), filters_},
                       {values(parameters, carry.weights).data(), filters_}, count, filters_,
                       filters_, highway.gate.data(), filters_, Result::replaced);
    products_.multiply({highway.input.data(), filters_},
                       {values(parameters, transform.weights).data(), filters_}, count, filters_,
                       filters_, highway.candidate.data(), filters_, Result::replaced);
    highway_forward(highway.gate.data(), values(parameters, carry.bias).data(),
                    highway.candidate.data(), values(parameters, transform.bias).data(),
                    highway.input.data(), count, filters_, features_.data());
  }

  const float* outputs = features_.data();
  if (const std::optional<AffineIndex>& projection = index(parameters).projection) {
    const float* bias = values(parameters, projection->bias).data();
    for (std::int64_t i = 0; i < count; ++i) {
      std::copy_n(bias, projection_, outputs_.data() + i * projection_);
    }
    products_.multiply({features_.data(), filters_},
                       {values(parameters, projection->weights).data(), projection_}, count,
                       projection_, filters_, outputs_.data(), projection_, Result::added);
    outputs = outputs_.data();
  }
  for (std::int64_t i = 0; i < count; ++i) {
    std::copy_n(outputs + i * projection_, projection_,
                to + rows_[static_cast<std::size_t>(i)] * projection_);
  }
}

void EncoderPass::backward(const Parameters& parameters, const float* gradient,
                           std::vector<AlignedVector<float>>& gradients) {
  const auto count = static_cast<std::int64_t>(rows_.size());
  grow(feature_gradient_, count * filters_);
  for (const std::size_t parameter : index(parameters).all()) {
    std::fill(gradients[parameter].begin(), gradients[parameter].end(), 0.0F);
  }
  if (rows_.empty()) return;

  float* features = feature_gradient_.data();
  const std::optional<AffineIndex>& projection = index(parameters).projection;
  float* outputs = projection ? outputs_.data() : features;
  for (std::int64_t i = 0; i < count; ++i) {
    std::copy_n(gradient + rows_[static_cast<std::size_t>(i)] * projection_, projection_,
                outputs + i * projection_);
  }
  if (projection) {
    add_column_sums(outputs, count, projection_, gradients[projection->bias].data());
    products_.multiply({features_.data(), filters_, true}, {outputs, projection_}, filters_,
                       projection_, count, gradients[projection->weights].data(), projection_,
                       Result::replaced);
    products_.multiply({outputs, projection_},
                       {values(parameters, projection->weights).data(), projection_, true}, count,
                       filters_, projection_, features, filters_, Result::replaced);
  }
  for (std::size_t k = highways_.size(); k-- > 0;) {
    Highway& highway = highways_[k];
    highway_backward(highway.gate.data(), highway.candidate.data(), highway.input.data(), count,
                     filters_, features);
    const auto& [carry, transform] = index(parameters).highways[k];
    const auto back = [&](const AffineIndex& affine, const float* sums) {
      add_column_sums(sums, count, filters_, gradients[affine.bias].data());
      products_.multiply({highway.input.data(), filters_, true}, {sums, filters_}, filters_,
                         filters_, count, gradients[affine.weights].data(), filters_,
                         Result::replaced);
      products_.multiply({sums, filters_},
                         {values(parameters, affine.weights).data(), filters_, true}, count,
                         filters_, filters_, features, filters_, Result::added);
    };
    back(carry, highway.gate.data());
    back(transform, highway.candidate.data());
  }
  convolve_backward(parameters, features, gradients);
}

void EncoderPass::convolve_backward(const Parameters& parameters, const float* gradient,
                                    std::vector<AlignedVector<float>>& gradients) {
  const std::int64_t dim = options_.embedding_dim;
  const auto positions = static_cast<std::int64_t>(ids_.size());
  grow(character_gradient_, positions * dim);
  std::fill_n(character_gradient_.data(), positions * dim, 0.0F);
  for (std::size_t b = 0; b < banks_.size(); ++b) {
    Bank& bank = banks_[b];
    const AffineIndex& affine = index(parameters).banks[b];
    const std::int64_t window = bank.filter.width * dim;
    const std::int64_t count = bank.filter.count;
    grow(bank.filters, count * window);
    grow(bank.gradient, count * window);
    transpose(values(parameters, affine.weights).data(), window, count, bank.filters.data());
    std::fill_n(bank.gradient.data(), count * window, 0.0F);

    PooledConvolutionGradient task;
    task.filters = count;
    task.window = window;
    task.embedding_dim = dim;
    task.activation = options_.activation;
    task.weights = bank.filters.data();
    task.weight_gradient = bank.gradient.data();
    task.bias_gradient = gradients[affine.bias].data();
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::int64_t offset = static_cast<std::int64_t>(i) * filters_ + bank.first;
      task.features = pooled_.data() + offset;
      task.feature_gradient = gradient + offset;
      task.where = where_.data() + offset;
      task.characters = characters_.data() + words_[i].first * dim;
      task.character_gradient = character_gradient_.data() + words_[i].first * dim;
      pooled_convolution_backward(task);
    }
    transpose(bank.gradient.data(), count, window, gradients[affine.weights].data());
  }
  for (std::int64_t i = 0; i < positions; ++i) {
    add(character_gradient_.data() + i * dim, dim,
        gradients[index(parameters).embedding].data() + ids_[static_cast<std::size_t>(i)] * dim);
  }
}

}  // namespace elmo

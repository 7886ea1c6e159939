#include "core/model/token_encoder.h"

#include <string>
#include <utility>

#include "core/error.h"
#include "core/model/characters.h"

namespace elmo {

InputProjection::InputProjection(const AffineIndex& index, StoredParameters& parameters,
                                 Precision precision)
    : weights_(parameters.pack(index.weights, precision)), bias_(parameters.take(index.bias)) {}

void InputProjection::apply(const float* rows, std::span<const std::size_t> indices, float* to,
                            EncoderWorkspace& ws) const {
  const auto count = static_cast<std::int64_t>(indices.size());
  const std::int64_t width = weights_.columns();
  grow(ws.projected, GemmWorkspace::padded_rows(count) * width);
  ws.product.set_input(rows, count, weights_.rows(), weights_.precision());
  ws.product.multiply(weights_, ws.projected.data(), ws.gemm);
  const float* projected = ws.projected.data();
  for (const std::size_t index : indices) {
    float* vector = to + static_cast<std::int64_t>(index) * width;
    for (std::int64_t p = 0; p < width; ++p) {
      vector[p] = projected[p] + bias_[static_cast<std::size_t>(p)];
    }
    projected += width;
  }
}

WordTable::WordTable(const ModelOptions& options, Vocabulary vocabulary,
                     StoredParameters& parameters)
    : vocabulary_(std::move(vocabulary)),
      width_(options.word_width()),
      characters_(static_cast<std::size_t>(options.word_characters)) {
  const std::size_t index = parameters.index().word_embedding.value();
  const std::int64_t rows = parameters.specs()[index].shape[0];
  if (rows != vocabulary_.size()) {
    throw InputError("the vocabulary has " + std::to_string(vocabulary_.size()) +
                     " words, but the model's embedding has " + std::to_string(rows) +
                     " rows: give the vocabulary that the model was trained with");
  }
  values_ = parameters.take(index);
}

std::string_view WordTable::cut(std::string_view token) const {
  return characters_ == 0 ? token : first_characters(token, characters_);
}

std::span<const float> WordTable::at(std::int64_t row) const {
  return std::span(values_).subspan(static_cast<std::size_t>(row * width_),
                                    static_cast<std::size_t>(width_));
}

std::span<const float> WordTable::row(std::string_view token) const {
  return at(vocabulary_.row(cut(token)));
}

std::span<const float> WordTable::begin_sentence() const {
  return at(vocabulary_.begin_sentence());
}

std::span<const float> WordTable::end_sentence() const { return at(vocabulary_.end_sentence()); }

bool WordTable::contains(std::string_view token) const { return vocabulary_.contains(cut(token)); }

bool WordTable::truncates(std::string_view token) const { return cut(token) != token; }

}  // namespace elmo

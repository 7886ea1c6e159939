#include "core/model/word_encoder.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/error.h"

namespace elmo {

WordEncoder::WordEncoder(Vocabulary vocabulary, std::int64_t projection_dim, Parameters& parameters)
    : vocabulary_(std::move(vocabulary)), projection_(projection_dim) {
  ModelParameter& table = parameters[parameters.index().word_embedding.value()];
  if (table.spec.shape[0] != vocabulary_.size()) {
    throw InputError("the vocabulary has " + std::to_string(vocabulary_.size()) +
                     " words, but the model's embedding has " +
                     std::to_string(table.spec.shape[0]) +
                     " rows: give the vocabulary that the model was trained with");
  }
  table_ = std::move(table.values);
}

std::span<const float> WordEncoder::vector(std::int64_t row) const {
  return std::span(table_).subspan(static_cast<std::size_t>(row * projection_),
                                   static_cast<std::size_t>(projection_));
}

void WordEncoder::encode(std::span<const std::string_view> tokens, float* to,
                         EncoderWorkspace&) const {
  for (const std::string_view token : tokens) {
    const std::span<const float> values = vector(vocabulary_.row(token));
    to = std::copy(values.begin(), values.end(), to);
  }
}

std::span<const float> WordEncoder::begin_sentence() const {
  return vector(vocabulary_.begin_sentence());
}

std::span<const float> WordEncoder::end_sentence() const {
  return vector(vocabulary_.end_sentence());
}

}  // namespace elmo

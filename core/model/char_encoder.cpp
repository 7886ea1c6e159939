#include "core/model/char_encoder.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/kernels/encoder.h"
#include "core/model/characters.h"

namespace elmo {

namespace {

// Number of tokens per highway and projection product.
constexpr std::size_t kGroupTokens = 256;

// Tokens are padded to a multiple of this length before convolution, so that short tokens do not
// pay for the padding of long ones and few primitives are needed.
constexpr std::int64_t kLengthStep = 6;

// Maximum number of characters for lookup tables. With more characters, the tables would take more
// memory than the rest of the model; this many take 50 MB with the filters of the published models.
constexpr std::int64_t kMaxTabulatedCharacters = 1024;

}  // namespace

CharEncoder::CharEncoder(const ModelOptions& model, Lexicon lexicon, StoredParameters& parameters,
                         Precision precision)
    : options_(*model.char_cnn),
      filters_(options_.filter_count()),
      projection_dim_(model.lstm.projection_dim),
      precision_(precision),
      embedding_(parameters.take(parameters.index().char_cnn.value().embedding)) {
  if (options_.dictionary_size > 0) dictionary_ = std::move(lexicon.characters);
  if (dictionary_ && dictionary_->size() != options_.dictionary_size) {
    throw InputError("the dictionary has " + std::to_string(dictionary_->size()) +
                     " characters, but the model's embedding has " +
                     std::to_string(options_.dictionary_size) + " rows");
  }
  if (model.has_words()) words_.emplace(model, *std::move(lexicon.words), parameters);
  const CharCnnIndex& index = *parameters.index().char_cnn;
  // Table lookup gives the sums of the convolution up to rounding, at a fraction of the cost if
  // there are few characters. float32 does not use it, so that its vectors stay the same to the
  // last bit.
  const bool looks_up =
      precision != Precision::float32 && options_.dictionary_size <= kMaxTabulatedCharacters;
  for (std::size_t i = 0; i < options_.filters.size(); ++i) {
    const CharFilter& filter = options_.filters[i];
    const AlignedVector<float> weights = parameters.take(index.banks[i].weights);
    const AlignedVector<float> bias = parameters.take(index.banks[i].bias);
    if (looks_up) {
      tables_.emplace_back(embedding_, options_.embedding_dim, weights, bias, filter.width);
    } else {
      banks_.emplace_back(weights.data(), bias.data(), filter.width, options_.embedding_dim,
                          filter.count);
    }
    widest_ = std::max(widest_, filter.width);
  }
  for (const CharCnnIndex::Highway& layer : index.highways) {
    highways_.push_back({parameters.pack(layer.carry.weights, precision),
                         parameters.pack(layer.transform.weights, precision),
                         parameters.take(layer.carry.bias), parameters.take(layer.transform.bias)});
  }
  if (index.projection) projection_.emplace(*index.projection, parameters, precision);
  begin_sentence_ = encode_boundary(Boundary::begin_sentence);
  end_sentence_ = encode_boundary(Boundary::end_sentence);
}

bool CharEncoder::truncates(std::string_view token) const {
  const std::size_t characters = dictionary_ ? count_characters(token) : token.size();
  return characters + 2 > static_cast<std::size_t>(options_.max_characters_per_token);
}

// All windows that contain only padding are equal, so one of them suffices for the maximum, and the
// padded token may end after the first.
std::int64_t CharEncoder::convolved_length(std::size_t id_count) const {
  const std::int64_t needed = static_cast<std::int64_t>(id_count) + widest_;
  const std::int64_t rounded = (needed + kLengthStep - 1) / kLengthStep * kLengthStep;
  return std::min(rounded, options_.max_characters_per_token);
}

void CharEncoder::encode(std::span<const std::string_view> tokens, float* to,
                         EncoderWorkspace& workspace) const {
  std::vector<Word> words(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    words[i].ids.resize(static_cast<std::size_t>(options_.max_characters_per_token));
    words[i].id_count =
        dictionary_ ? dictionary_->ids(tokens[i], words[i].ids) : char_ids(tokens[i], words[i].ids);
    if (words_) words[i].row = words_->row(tokens[i]);
  }
  std::vector<std::size_t> indices(words.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  std::stable_sort(indices.begin(), indices.end(), [&](std::size_t a, std::size_t b) {
    return words[a].id_count < words[b].id_count;
  });
  for (std::size_t first = 0; first < indices.size(); first += kGroupTokens) {
    const std::size_t count = std::min(kGroupTokens, indices.size() - first);
    encode_words(words, std::span(indices).subspan(first, count), to, workspace);
  }
}

void CharEncoder::encode_words(std::span<const Word> words, std::span<const std::size_t> indices,
                               float* to, EncoderWorkspace& ws) const {
  const auto count = static_cast<std::int64_t>(indices.size());
  const std::int64_t rows = GemmWorkspace::padded_rows((count + kConvolutionTokens - 1) /
                                                       kConvolutionTokens * kConvolutionTokens);
  grow(ws.features, rows * filters_);
  grow(ws.carry, rows * filters_);
  grow(ws.transform, rows * filters_);

  if (tables_.empty()) {
    convolve_groups(words, indices, ws);
  } else {
    look_up(words, indices, ws.features.data());
  }

  for (const Highway& layer : highways_) {
    ws.product.set_input(ws.features.data(), count, filters_, precision_);
    ws.product.multiply(layer.carry, ws.carry.data(), ws.gemm);
    ws.product.multiply(layer.transform, ws.transform.data(), ws.gemm);
    highway(ws.carry.data(), layer.carry_bias.data(), ws.transform.data(),
            layer.transform_bias.data(), count, filters_, ws.features.data());
  }

  if (projection_) {
    projection_->apply(words_ ? join(words, indices, ws) : ws.features.data(), indices, to, ws);
    return;
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const float* features = ws.features.data() + static_cast<std::int64_t>(i) * filters_;
    float* vector = to + static_cast<std::int64_t>(indices[i]) * projection_dim_;
    // Adding 0 turns −0 into +0, as all versions have done.
    for (std::int64_t p = 0; p < projection_dim_; ++p) vector[p] = features[p] + 0.0F;
  }
}

// Joins, for each token, the word's row and the features of its characters.
const float* CharEncoder::join(std::span<const Word> words, std::span<const std::size_t> indices,
                               EncoderWorkspace& ws) const {
  const std::int64_t width = words_->width() + filters_;
  grow(ws.joined, GemmWorkspace::padded_rows(static_cast<std::int64_t>(indices.size())) * width);
  float* joined = ws.joined.data();
  const float* features = ws.features.data();
  for (const std::size_t index : indices) {
    joined = std::copy(words[index].row.begin(), words[index].row.end(), joined);
    joined = std::copy_n(features, filters_, joined);
    features += filters_;
  }
  return ws.joined.data();
}

// Convolves consecutive tokens of equal length together, as many as a convolution takes.
void CharEncoder::convolve_groups(std::span<const Word> words, std::span<const std::size_t> indices,
                                  EncoderWorkspace& ws) const {
  for (std::size_t first = 0; first < indices.size();) {
    const std::int64_t length = convolved_length(words[indices[first]].id_count);
    std::vector<Word> group;
    while (first + group.size() < indices.size() &&
           static_cast<std::int64_t>(group.size()) < kConvolutionTokens &&
           convolved_length(words[indices[first + group.size()]].id_count) == length) {
      group.push_back(words[indices[first + group.size()]]);
    }
    convolve(group, length, ws.features.data() + static_cast<std::int64_t>(first) * filters_, ws);
    first += group.size();
  }
}

void CharEncoder::convolve(std::span<const Word> words, std::int64_t length, float* features,
                           EncoderWorkspace& ws) const {
  const std::int64_t dim = options_.embedding_dim;
  grow(ws.characters, kConvolutionTokens * length * dim);
  for (std::size_t token = 0; token < words.size(); ++token) {
    for (std::int64_t position = 0; position < length; ++position) {
      const std::int64_t id = words[token].ids[static_cast<std::size_t>(position)];
      std::copy_n(
          embedding_.data() + id * dim, dim,
          ws.characters.data() + (static_cast<std::int64_t>(token) * length + position) * dim);
    }
  }
  for (const Convolution& bank : banks_) {
    const std::int64_t positions = length - bank.width() + 1;
    grow(ws.convolved, kConvolutionTokens * positions * bank.filters());
    ws.convolution.convolve(ws.characters.data(), bank, length, ws.convolved.data());
    for (std::size_t token = 0; token < words.size(); ++token) {
      const auto row = static_cast<std::int64_t>(token);
      max_pool(ws.convolved.data() + row * positions * bank.filters(), positions, bank.filters(),
               options_.activation, features + row * filters_);
    }
    features += bank.filters();
  }
}

void CharEncoder::look_up(std::span<const Word> words, std::span<const std::size_t> indices,
                          float* features) const {
  std::vector<std::span<const std::int32_t>> seen;
  for (const CharacterTable& table : tables_) {
    seen.clear();
    for (const std::size_t index : indices) {
      // Up to the first window that contains only padding.
      const Word& word = words[index];
      const std::size_t end = word.id_count + static_cast<std::size_t>(table.width());
      seen.push_back(std::span(word.ids).first(std::min(end, word.ids.size())));
    }
    table.pool(seen, options_.activation, features, filters_);
    features += table.filters();
  }
}

AlignedVector<float> CharEncoder::encode_boundary(Boundary boundary) const {
  const bool begins = boundary == Boundary::begin_sentence;
  Word word;
  word.ids.resize(static_cast<std::size_t>(options_.max_characters_per_token));
  if (!dictionary_) {
    word.id_count = boundary_ids(begins ? kBeginSentenceId : kEndSentenceId, word.ids);
  } else {
    word.id_count = begins ? dictionary_->begin_sentence_ids(word.ids)
                           : dictionary_->end_sentence_ids(word.ids);
  }
  if (words_) word.row = begins ? words_->begin_sentence() : words_->end_sentence();
  AlignedVector<float> vector(static_cast<std::size_t>(projection_dim_));
  EncoderWorkspace workspace;
  const std::size_t index = 0;
  encode_words({&word, 1}, {&index, 1}, vector.data(), workspace);
  return vector;
}

}  // namespace elmo

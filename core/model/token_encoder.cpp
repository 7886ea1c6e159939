#include "core/model/token_encoder.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/kernels/encoder_kernels.h"
#include "core/workers.h"

namespace elmo {

namespace {

// Maximum number of characters for lookup tables. With more characters, the tables would take more
// memory than the rest of the model; this many take 50 MB with the filters of the published models.
constexpr std::int64_t kMaxTabulatedCharacters = 1024;

}  // namespace

/// The word embedding table.
class TokenEncoder::WordTable {
 public:
  /// Takes the table [V, width] from `parameters`. InputError if the vocabulary's size is not V.
  WordTable(const ModelOptions& options, Vocabulary vocabulary, StoredParameters& parameters)
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

  std::int64_t width() const { return width_; }

  /// Returns a token's row, after cutting the token as the options say; the row of unknown words if
  /// it is not in the vocabulary.
  std::span<const float> row(std::string_view token) const {
    return at(vocabulary_.row(cut(token)));
  }
  std::span<const float> row(Boundary boundary) const {
    return at(boundary == Boundary::begin_sentence ? vocabulary_.begin_sentence()
                                                   : vocabulary_.end_sentence());
  }

  bool contains(std::string_view token) const { return vocabulary_.contains(cut(token)); }
  bool truncates(std::string_view token) const { return cut(token) != token; }

 private:
  std::string_view cut(std::string_view token) const {
    return characters_ == 0 ? token : first_characters(token, characters_);
  }
  std::span<const float> at(std::int64_t row) const {
    return std::span(values_).subspan(static_cast<std::size_t>(row * width_),
                                      static_cast<std::size_t>(width_));
  }

  Vocabulary vocabulary_;
  std::int64_t width_;
  std::size_t characters_;  // length to which a token is cut; 0: not cut
  AlignedVector<float> values_;
};

/// Computes the features of a token's characters.
class TokenEncoder::CharFeatures {
 public:
  /// `dictionary`: for models whose characters are not bytes. InputError if its size differs from
  /// the embedding's.
  CharFeatures(const CharCnnOptions& options, std::optional<CharDictionary> dictionary,
               StoredParameters& parameters, Precision precision);

  std::int64_t filters() const { return filters_; }  ///< F

  bool truncates(std::string_view token) const;

  /// Sets the ids of a token or a boundary.
  template <typename TextOrBoundary>
  void spell(TextOrBoundary text, Token& token) const {
    token.ids.resize(static_cast<std::size_t>(options_.max_characters_per_token));
    token.id_count = dictionary_ ? dictionary_->ids(text, token.ids) : char_ids(text, token.ids);
  }

  /// Computes ws.features [indices, F] of these tokens. Adjacent tokens should have about the same
  /// length.
  void compute(std::span<const Token> tokens, std::span<const std::size_t> indices,
               EncoderWorkspace& ws) const;

 private:
  struct Highway {
    PackedMatrix carry;
    PackedMatrix transform;
    AlignedVector<float> carry_bias;
    AlignedVector<float> transform_bias;
  };

  std::int64_t convolved_length(std::size_t id_count) const;
  void convolve_groups(std::span<const Token> tokens, std::span<const std::size_t> indices,
                       EncoderWorkspace& ws) const;
  void convolve(std::span<const Token* const> tokens, std::int64_t length, float* features,
                EncoderWorkspace& ws) const;
  void look_up(std::span<const Token> tokens, std::span<const std::size_t> indices,
               float* features) const;

  CharCnnOptions options_;
  std::int64_t filters_;  // F
  Precision precision_;
  std::int64_t widest_ = 0;                   // largest filter width
  std::optional<CharDictionary> dictionary_;  // nullopt: characters are bytes
  AlignedVector<float> embedding_;            // [characters, C]
  std::vector<Convolution> banks_;            // either these
  std::vector<CharacterTable> tables_;        // or these
  std::vector<Highway> highways_;
};

TokenEncoder::CharFeatures::CharFeatures(const CharCnnOptions& options,
                                         std::optional<CharDictionary> dictionary,
                                         StoredParameters& parameters, Precision precision)
    : options_(options),
      filters_(options_.filter_count()),
      precision_(precision),
      embedding_(parameters.take(parameters.index().char_cnn.value().embedding)) {
  if (options_.dictionary_size > 0) dictionary_ = std::move(dictionary);
  if (dictionary_ && dictionary_->size() != options_.dictionary_size) {
    throw InputError("the dictionary has " + std::to_string(dictionary_->size()) +
                     " characters, but the model's embedding has " +
                     std::to_string(options_.dictionary_size) + " rows");
  }
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
  AlignedVector<float> room;
  for (const CharCnnIndex::Highway& layer : index.highways) {
    highways_.push_back({parameters.pack(layer.carry.weights, precision, room),
                         parameters.pack(layer.transform.weights, precision, room),
                         parameters.take(layer.carry.bias), parameters.take(layer.transform.bias)});
  }
}

bool TokenEncoder::CharFeatures::truncates(std::string_view token) const {
  const std::size_t characters = dictionary_ ? count_characters(token) : token.size();
  return characters + 2 > static_cast<std::size_t>(options_.max_characters_per_token);
}

void TokenEncoder::CharFeatures::compute(std::span<const Token> tokens,
                                         std::span<const std::size_t> indices,
                                         EncoderWorkspace& ws) const {
  const auto count = static_cast<std::int64_t>(indices.size());
  const std::int64_t rows = GemmWorkspace::padded_rows(count);
  grow(ws.features, rows * filters_);
  grow(ws.carry, rows * filters_);
  grow(ws.transform, rows * filters_);

  if (tables_.empty()) {
    convolve_groups(tokens, indices, ws);
  } else {
    look_up(tokens, indices, ws.features.data());
  }

  for (const Highway& layer : highways_) {
    ws.product.set_input(ws.features.data(), count, filters_, precision_);
    ws.product.multiply(layer.carry, ws.carry.data(), ws.gemm);
    ws.product.multiply(layer.transform, ws.transform.data(), ws.gemm);
    highway_forward(ws.carry.data(), layer.carry_bias.data(), ws.transform.data(),
                    layer.transform_bias.data(), ws.features.data(), count, filters_,
                    ws.features.data());
  }
}

// All windows that contain only padding are equal, so one of them suffices for the maximum, and the
// padded token may end after the first.
std::int64_t TokenEncoder::CharFeatures::convolved_length(std::size_t id_count) const {
  const std::int64_t needed = static_cast<std::int64_t>(id_count) + widest_;
  const std::int64_t rounded = block_count(needed, kTokenLengthStep) * kTokenLengthStep;
  return std::min(rounded, options_.max_characters_per_token);
}

// Convolves consecutive tokens of equal length together, as many as a convolution takes.
void TokenEncoder::CharFeatures::convolve_groups(std::span<const Token> tokens,
                                                 std::span<const std::size_t> indices,
                                                 EncoderWorkspace& ws) const {
  const auto length_of = [&](std::size_t i) {
    return convolved_length(tokens[indices[i]].id_count);
  };
  std::vector<const Token*> group;
  for (std::size_t first = 0; first < indices.size(); first += group.size()) {
    const std::int64_t length = length_of(first);
    group.clear();
    for (std::size_t i = first; i < indices.size() && length_of(i) == length &&
                                static_cast<std::int64_t>(group.size()) < kConvolutionTokens;
         ++i) {
      group.push_back(&tokens[indices[i]]);
    }
    convolve(group, length, ws.features.data() + static_cast<std::int64_t>(first) * filters_, ws);
  }
}

void TokenEncoder::CharFeatures::convolve(std::span<const Token* const> tokens, std::int64_t length,
                                          float* features, EncoderWorkspace& ws) const {
  const std::int64_t dim = options_.embedding_dim;
  grow(ws.characters, kConvolutionTokens * length * dim);
  float* characters = ws.characters.data();
  for (const Token* token : tokens) {
    for (std::int64_t position = 0; position < length; ++position) {
      const std::int64_t id = token->ids[static_cast<std::size_t>(position)];
      characters = std::copy_n(embedding_.data() + id * dim, dim, characters);
    }
  }
  for (const Convolution& bank : banks_) {
    const std::int64_t positions = length - bank.width() + 1;
    grow(ws.convolved, kConvolutionTokens * positions * bank.filters());
    ws.convolution.convolve(ws.characters.data(), bank, length, ws.convolved.data());
    for (std::size_t token = 0; token < tokens.size(); ++token) {
      const auto row = static_cast<std::int64_t>(token);
      max_pool(ws.convolved.data() + row * positions * bank.filters(), positions, bank.filters(),
               options_.activation, features + row * filters_);
    }
    features += bank.filters();
  }
}

void TokenEncoder::CharFeatures::look_up(std::span<const Token> tokens,
                                         std::span<const std::size_t> indices,
                                         float* features) const {
  std::vector<std::span<const std::int32_t>> seen;
  for (const CharacterTable& table : tables_) {
    seen.clear();
    for (const std::size_t index : indices) {
      // Up to the first window that contains only padding.
      const Token& token = tokens[index];
      const std::size_t end = token.id_count + static_cast<std::size_t>(table.width());
      seen.push_back(std::span(token.ids).first(std::min(end, token.ids.size())));
    }
    table.pool(seen, options_.activation, features, filters_);
    features += table.filters();
  }
}

TokenEncoder::TokenEncoder(const ModelOptions& model, Lexicon lexicon, StoredParameters& parameters,
                           Precision precision)
    : width_(model.lstm.projection_dim) {
  if (model.has_words() && !lexicon.words) {
    throw RequestError("this is a word-level model, and its vocabulary is not known",
                       Remedy{"give_vocabulary"});
  }
  if (model.char_cnn) {
    if (model.char_cnn->dictionary_size > 0 && !lexicon.characters) {
      throw RequestError("the dictionary of this model's characters is not known");
    }
    characters_ = std::make_shared<const CharFeatures>(
        *model.char_cnn, std::move(lexicon.characters), parameters, precision);
  }
  if (model.has_words()) {
    words_ = std::make_shared<const WordTable>(model, *std::move(lexicon.words), parameters);
  }
  if (const std::optional<AffineIndex>& index = parameters.index().token_projection) {
    AlignedVector<float> room;
    projection_.emplace(
        Projection{parameters.pack(index->weights, precision, room), parameters.take(index->bias)});
  }
  begin_sentence_ = encode_boundary(Boundary::begin_sentence);
  end_sentence_ = encode_boundary(Boundary::end_sentence);
}

bool TokenEncoder::truncates(std::string_view token) const {
  return characters_ ? characters_->truncates(token) : words_->truncates(token);
}

bool TokenEncoder::is_unknown(std::string_view token) const {
  return !characters_ && !words_->contains(token);
}

void TokenEncoder::encode(std::span<const std::string_view> tokens, float* to,
                          EncoderWorkspace& workspace) const {
  std::vector<Token> parts(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (characters_) characters_->spell(tokens[i], parts[i]);
    if (words_) parts[i].row = words_->row(tokens[i]);
  }
  std::vector<std::size_t> indices(parts.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  std::stable_sort(indices.begin(), indices.end(), [&](std::size_t a, std::size_t b) {
    return parts[a].id_count < parts[b].id_count;
  });
  for (std::size_t first = 0; first < indices.size(); first += kEncoderTokens) {
    const std::size_t count = std::min(kEncoderTokens, indices.size() - first);
    encode_group(parts, std::span(indices).subspan(first, count), to, workspace);
  }
}

void TokenEncoder::encode_group(std::span<const Token> tokens, std::span<const std::size_t> indices,
                                float* to, EncoderWorkspace& ws) const {
  if (characters_) characters_->compute(tokens, indices, ws);
  if (projection_) {
    project(words_ ? join(tokens, indices, ws) : ws.features.data(), indices, to, ws);
    return;
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    float* vector = to + static_cast<std::int64_t>(indices[i]) * width_;
    if (words_) {
      std::ranges::copy(tokens[indices[i]].row, vector);
      continue;
    }
    const float* features = ws.features.data() + static_cast<std::int64_t>(i) * width_;
    // Adding 0 turns −0 into +0, as in all earlier versions.
    for (std::int64_t p = 0; p < width_; ++p) vector[p] = features[p] + 0.0F;
  }
}

// Joins, for each token, the word's row and the features of its characters, if any.
const float* TokenEncoder::join(std::span<const Token> tokens, std::span<const std::size_t> indices,
                                EncoderWorkspace& ws) const {
  const std::int64_t filters = characters_ ? characters_->filters() : 0;
  const auto count = static_cast<std::int64_t>(indices.size());
  grow(ws.parts, GemmWorkspace::padded_rows(count) * (words_->width() + filters));
  float* parts = ws.parts.data();
  const float* features = ws.features.data();
  for (const std::size_t index : indices) {
    parts = std::ranges::copy(tokens[index].row, parts).out;
    parts = std::copy_n(features, filters, parts);
    features += filters;
  }
  return ws.parts.data();
}

// Writes x for row i of `parts`, which has room for padded rows, to to[indices[i] · P …].
void TokenEncoder::project(const float* parts, std::span<const std::size_t> indices, float* to,
                           EncoderWorkspace& ws) const {
  const auto count = static_cast<std::int64_t>(indices.size());
  const auto& [weights, bias] = *projection_;
  grow(ws.projected, GemmWorkspace::padded_rows(count) * width_);
  ws.product.set_input(parts, count, weights.rows(), weights.precision());
  ws.product.multiply(weights, ws.projected.data(), ws.gemm);
  const float* projected = ws.projected.data();
  for (const std::size_t index : indices) {
    float* vector = to + static_cast<std::int64_t>(index) * width_;
    for (std::int64_t p = 0; p < width_; ++p) {
      vector[p] = projected[p] + bias[static_cast<std::size_t>(p)];
    }
    projected += width_;
  }
}

AlignedVector<float> TokenEncoder::encode_boundary(Boundary boundary) const {
  Token token;
  if (characters_) characters_->spell(boundary, token);
  if (words_) token.row = words_->row(boundary);
  AlignedVector<float> vector(static_cast<std::size_t>(width_));
  EncoderWorkspace workspace;
  const std::size_t index = 0;
  encode_group({&token, 1}, {&index, 1}, vector.data(), workspace);
  return vector;
}

}  // namespace elmo

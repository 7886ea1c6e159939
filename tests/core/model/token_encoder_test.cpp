#include "core/model/token_encoder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "tests/core/tolerances.h"
#include "tests/fixtures/models.h"
#include "tests/reference/bilm.h"

namespace elmo {
namespace {

std::optional<Vocabulary> words_of(const ModelOptions& options) {
  if (!options.has_words()) return std::nullopt;
  return Vocabulary(model_words(options));
}

TokenEncoder encoder_of(const ModelOptions& options, std::optional<Vocabulary> words) {
  StoredParameters parameters(random_parameters(options, 4));
  return {options, std::move(words), parameters, Precision::float32};
}

std::vector<float> encode_one(const TokenEncoder& encoder, std::string_view token,
                              std::size_t width) {
  std::vector<float> vector(width);
  EncoderWorkspace workspace;
  encoder.encode({&token, 1}, vector.data(), workspace);
  return vector;
}

double distance(const float* vector, const std::vector<double>& expected) {
  double largest = 0;
  for (std::size_t p = 0; p < expected.size(); ++p) {
    largest = std::max(largest, std::fabs(expected[p] - double{vector[p]}));
  }
  return largest;
}

TEST_CASE("vectors of tokens and boundaries follow the equations, for every kind of model") {
  std::vector<std::string> tokens;
  for (const auto& sentence : random_sentences(60, 12, 9)) {
    tokens.insert(tokens.end(), sentence.begin(), sentence.end());
  }
  REQUIRE(tokens.size() > 256);  // several groups
  const std::vector<std::string_view> views(tokens.begin(), tokens.end());
  for (const ModelCase& model : model_cases()) {
    CAPTURE(model.name);
    const TokenEncoder encoder = encoder_of(model.options, words_of(model.options));
    const auto width = static_cast<std::size_t>(model.options.lstm.projection_dim);
    std::vector<float> vectors(tokens.size() * width);
    EncoderWorkspace workspace;
    encoder.encode(views, vectors.data(), workspace);

    const ReferenceBilm reference(model.options, random_parameters(model.options, 4),
                                  model_words(model.options));
    ReferenceState state = reference.zero_state();
    const ReferenceActivations expected = reference.activations(tokens, state, true);
    double largest = std::max(distance(encoder.begin_sentence().data(), expected.front()[0]),
                              distance(encoder.end_sentence().data(), expected.back()[0]));
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      largest = std::max(largest, distance(vectors.data() + t * width, expected[t + 1][0]));
    }
    CHECK(largest < kFloat32Tolerance);
  }
}

TEST_CASE("a token's vector does not depend on the others, and `<S>` is ordinary text") {
  const ModelOptions options = small_options();
  const TokenEncoder encoder = encoder_of(options, std::nullopt);
  const auto width = static_cast<std::size_t>(options.lstm.projection_dim);
  const std::vector<std::string_view> tokens{"a", "<S>", "abcdefgh", "", "語", "a"};
  std::vector<float> vectors(tokens.size() * width);
  EncoderWorkspace workspace;
  encoder.encode(tokens, vectors.data(), workspace);
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    CAPTURE(tokens[t]);
    const std::vector<float> alone = encode_one(encoder, tokens[t], width);
    CHECK(std::equal(alone.begin(), alone.end(),
                     vectors.begin() + static_cast<std::ptrdiff_t>(t * width)));
  }
  CHECK_FALSE(std::equal(vectors.begin() + static_cast<std::ptrdiff_t>(width),
                         vectors.begin() + static_cast<std::ptrdiff_t>(2 * width),
                         encoder.begin_sentence().begin()));
}

TEST_CASE("character models truncate long tokens, and word models do not know all tokens") {
  ModelOptions characters = small_options();
  characters.char_cnn->max_characters_per_token = 6;
  const TokenEncoder reads = encoder_of(characters, std::nullopt);
  CHECK_FALSE(reads.truncates("abcd"));
  CHECK(reads.truncates("abcde"));
  CHECK(reads.truncates("ééé"));  // six bytes
  CHECK_FALSE(reads.is_unknown("abcd"));

  ModelOptions words = model_case("words");
  const TokenEncoder knows = encoder_of(words, words_of(words));
  CHECK_FALSE(knows.is_unknown("word3"));
  CHECK(knows.is_unknown("word"));
  CHECK(knows.is_unknown("<S>"));
  CHECK_FALSE(knows.truncates(std::string(1000, 'a')));

  words.word_characters = 5;
  const TokenEncoder cuts = encoder_of(words, words_of(words));
  CHECK(cuts.truncates("word30"));
  CHECK_FALSE(cuts.is_unknown("word30"));  // word3
  const auto width = static_cast<std::size_t>(words.lstm.projection_dim);
  CHECK(encode_one(cuts, "word30", width) == encode_one(knows, "word3", width));
}

TEST_CASE("a model with a word's row and the features of its characters projects both together") {
  ModelOptions options = small_options();
  options.n_tokens_vocab = 5;
  options.word_dim = 3;
  options.always_projects = true;
  const std::vector<std::string> words{"<S>", "</S>", "<UNK>", "a", "b"};
  const TokenEncoder encoder = encoder_of(options, Vocabulary(words));
  const auto width = static_cast<std::size_t>(options.lstm.projection_dim);
  const std::size_t filters = static_cast<std::size_t>(options.char_cnn->filter_count());

  // The features come from a model without words and without a projection.
  const Parameters parameters = random_parameters(options, 4);
  ModelOptions features_only = small_options();
  features_only.lstm.projection_dim = options.char_cnn->filter_count();
  Parameters kept(features_only);
  for (Parameter& parameter : kept.all()) {
    if (parameter.name.starts_with("C") || parameter.name.starts_with("c")) {
      parameter.values = parameters.at(parameter.name).values;
    }
  }
  StoredParameters stored(std::move(kept));
  const TokenEncoder features(features_only, {}, stored, Precision::float32);

  const AlignedVector<float>& table = parameters.at("embedding").values;
  const AlignedVector<float>& weights = parameters.at("CNN_proj/W_proj").values;
  const AlignedVector<float>& bias = parameters.at("CNN_proj/b_proj").values;
  const auto check = [&](std::span<const float> found, std::size_t row,
                         std::span<const float> of_characters) {
    std::vector<double> parts(table.begin() + static_cast<std::ptrdiff_t>(3 * row),
                              table.begin() + static_cast<std::ptrdiff_t>(3 * row + 3));
    parts.insert(parts.end(), of_characters.begin(), of_characters.end());
    std::vector<double> expected(bias.begin(), bias.end());
    for (std::size_t i = 0; i < 3 + filters; ++i) {
      for (std::size_t p = 0; p < width; ++p) {
        expected[p] += parts[i] * double{weights[i * width + p]};
      }
    }
    CHECK(distance(found.data(), expected) < kFloat32Tolerance);
  };
  check(encode_one(encoder, "b", width), 4, encode_one(features, "b", filters));
  check(encode_one(encoder, "other", width), 2, encode_one(features, "other", filters));
  check(encoder.begin_sentence(), 0, features.begin_sentence());
  check(encoder.end_sentence(), 1, features.end_sentence());
}

TEST_CASE("a missing vocabulary or dictionary, and one of another size, is refused") {
  const ModelOptions words = model_case("words");
  CHECK_THROWS_AS(encoder_of(words, std::nullopt), RequestError);
  CHECK_THROWS_AS(encoder_of(words, Vocabulary({"<S>", "</S>", "<UNK>"})), InputError);

  ModelOptions characters = small_options();
  characters.char_cnn->dictionary_size = 8;
  CHECK_THROWS_AS(encoder_of(characters, std::nullopt), RequestError);
  const CharMarks marks{"1", "2", "3", "4", "5", "6"};
  const auto with_entries = [&](const std::vector<std::string>& entries) {
    StoredParameters parameters(random_parameters(characters, 4));
    return TokenEncoder(characters, Lexicon(std::nullopt, CharDictionary(entries, marks)),
                        parameters, Precision::float32);
  };
  CHECK_THROWS_AS(with_entries({"1", "2", "3", "4", "5", "6"}), InputError);
  CHECK_FALSE(with_entries({"1", "2", "3", "4", "5", "6", "a", "é"}).truncates("é"));
}

}  // namespace
}  // namespace elmo

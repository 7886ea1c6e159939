#include "core/model/options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

#include "core/error.h"

namespace elmo {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& found,
                         const std::string& expected) {
  throw InputError(what + " is " + found + "; expected " + expected);
}

void check(const std::string& what, std::int64_t found, std::int64_t least, std::int64_t most) {
  if (found < least || found > most) {
    refuse(what, std::to_string(found),
           "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  }
}

void check_clip(const std::string& what, const std::optional<float>& clip) {
  if (clip && !(std::isfinite(*clip) && *clip > 0.0F)) {
    refuse(what, std::to_string(*clip), "a positive number, or null for none");
  }
}

void check(const CharCnnOptions& options) {
  if (options.dictionary_size != 0) {
    check("the number of characters", options.dictionary_size, 1, kMaxVocabulary);
  }
  check("char_cnn.embedding.dim", options.embedding_dim, 1, kMaxDimension);
  check("char_cnn.max_characters_per_token", options.max_characters_per_token,
        options.dictionary_size > 0 ? kMinDictionaryCharacters : kMinCharactersPerToken,
        kMaxCharactersPerToken);
  check("char_cnn.n_highway", options.n_highway, 0, kMaxLayers);
  check("the number of char_cnn.filters", static_cast<std::int64_t>(options.filters.size()), 1,
        options.max_characters_per_token);
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < options.filters.size(); ++i) {
    const std::string what = "char_cnn.filters[" + std::to_string(i) + "]";
    check("the width of " + what, options.filters[i].width, 1, options.max_characters_per_token);
    check("the count of " + what, options.filters[i].count, 1, kMaxDimension);
    sum += options.filters[i].count;
  }
  check("the sum of all counts in char_cnn.filters", sum, 1, kMaxDimension);
}

}  // namespace

void validate(const ModelOptions& options) {
  check("lstm.dim", options.lstm.dim, 1, kMaxDimension);
  check("lstm.projection_dim", options.lstm.projection_dim, 1, kMaxDimension);
  check("lstm.n_layers", options.lstm.n_layers, 1, kMaxLayers);
  check_clip("lstm.cell_clip", options.lstm.cell_clip);
  check_clip("lstm.proj_clip", options.lstm.proj_clip);
  if (options.char_cnn) check(*options.char_cnn);
  if (!options.has_words()) return;
  check("n_tokens_vocab", options.n_tokens_vocab, 1, kMaxVocabulary);
  check("the width of a word's row", options.word_width(), 1, kMaxDimension);
}

namespace {

struct Preset {
  std::int64_t dim;
  std::int64_t projection_dim;
  std::int64_t n_highway;
  std::size_t banks;  ///< number of banks, from kFilters
};

constexpr std::array<std::string_view, 4> kNames{"tiny", "small", "medium", "original"};
constexpr std::array<Preset, kNames.size()> kPresets{
    {{512, 256, 1, 5}, {1024, 128, 1, 7}, {2048, 256, 1, 7}, {4096, 512, 2, 7}}};

constexpr std::array<CharFilter, 7> kFilters{
    {{1, 32}, {2, 32}, {3, 64}, {4, 128}, {5, 256}, {6, 512}, {7, 1024}}};

}  // namespace

std::span<const std::string_view> preset_names() { return kNames; }

std::optional<ModelOptions> preset(std::string_view name) {
  const auto* const found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  const Preset& shape = kPresets[static_cast<std::size_t>(found - kNames.begin())];

  ModelOptions options;
  options.lstm = {.dim = shape.dim,
                  .projection_dim = shape.projection_dim,
                  .n_layers = 2,
                  .cell_clip = 3.0F,
                  .proj_clip = 3.0F,
                  .use_skip_connections = true};
  options.char_cnn = {.embedding_dim = 16,
                      .filters = {kFilters.begin(), kFilters.begin() + shape.banks},
                      .n_highway = shape.n_highway,
                      .max_characters_per_token = 50,
                      .activation = Activation::relu};
  return options;
}

double lstm_flop_per_token(const ModelOptions& options) {
  const auto cells = static_cast<double>(options.lstm.dim);
  const auto projection = static_cast<double>(options.lstm.projection_dim);
  double products = 2.0 * projection * 4.0 * cells;
  if (options.lstm.has_projection()) products += cells * projection;
  return 2.0 * 2.0 * static_cast<double>(options.lstm.n_layers) * products;
}

double encoder_flop_per_token(const ModelOptions& options) {
  double products = 0.0;
  if (options.has_projection()) {
    products += static_cast<double>(options.token_width()) *
                static_cast<double>(options.lstm.projection_dim);
  }
  if (!options.char_cnn) return 2.0 * products;
  const CharCnnOptions& cnn = *options.char_cnn;
  const auto filters = static_cast<double>(cnn.filter_count());
  for (const auto& [width, count] : cnn.filters) {
    products += static_cast<double>(cnn.max_characters_per_token - width + 1) *
                static_cast<double>(width * cnn.embedding_dim) * static_cast<double>(count);
  }
  products += static_cast<double>(cnn.n_highway) * 2.0 * filters * filters;
  return 2.0 * products;
}

}  // namespace elmo

#include "core/model/options.h"

#include <cmath>
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

}  // namespace elmo

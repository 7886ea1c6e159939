#include "io/model/convert.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/error.h"
#include "io/model/vocabulary.h"
#include "io/text/escaped_name.h"

namespace elmo {
namespace {

void require_place(const ModelOptions& options) {
  const auto refuse = [](const std::string& reason) {
    throw RequestError("the published layout has no place for this model: " + reason);
  };
  if (options.char_cnn && options.has_words()) {
    refuse(
        "its tokens are words beside characters, which are code points; expected bytes as "
        "characters, or words alone");
  }
  if (options.char_cnn) {
    refuse("its characters are the code points of a dictionary; expected bytes");
  }
  if (options.lstm.always_projects && options.lstm.dim == options.lstm.projection_dim) {
    refuse("its LSTMs project " + std::to_string(options.lstm.dim) +
           " cells to as many outputs; expected cells and outputs of different numbers");
  }
}

/// to[row] = row of `table` · W + b, in double precision, so that it is the same everywhere.
AlignedVector<float> projected(const Parameters& parameters, std::int64_t words) {
  const ModelParameter& table = parameters[parameters.index().word_embedding.value()];
  const AffineIndex& index = parameters.index().word_projection.value();
  const ModelParameter& weights = parameters[index.weights];
  const AlignedVector<float>& bias = parameters[index.bias].values;
  const auto inputs = static_cast<std::size_t>(weights.spec.shape[0]);
  const auto outputs = static_cast<std::size_t>(weights.spec.shape[1]);
  AlignedVector<float> rows(static_cast<std::size_t>(words) * outputs);
  std::vector<double> sums(outputs);
  for (std::size_t row = 0; row < static_cast<std::size_t>(words); ++row) {
    std::copy(bias.begin(), bias.end(), sums.begin());
    for (std::size_t i = 0; i < inputs; ++i) {
      const double value = table.values[row * inputs + i];
      for (std::size_t o = 0; o < outputs; ++o) {
        sums[o] += value * double{weights.values[i * outputs + o]};
      }
    }
    std::transform(sums.begin(), sums.end(),
                   rows.begin() + static_cast<std::ptrdiff_t>(row * outputs),
                   [](double sum) { return static_cast<float>(sum); });
  }
  return rows;
}

/// The words by row, with the reserved ones named as published.
std::vector<std::string> published_words(const Vocabulary& vocabulary) {
  std::vector<std::string> words;
  for (std::int64_t row = 0; row < vocabulary.size(); ++row) {
    const std::string& word = vocabulary.word(row);
    const bool taken = word == "<S>" || word == "</S>" || word == "<UNK>";
    if (taken || !fits_vocabulary_file(word)) {
      throw RequestError("the published layout has no place for the word " + escaped_name(word) +
                         ", row " + std::to_string(row) + " of this model");
    }
    words.push_back(word);
  }
  const auto name = [&](std::int64_t row, const char* as) {
    words[static_cast<std::size_t>(row)] = as;
  };
  name(vocabulary.unknown(), "<UNK>");
  const std::int64_t begin = vocabulary.begin_sentence();
  const std::int64_t end = vocabulary.end_sentence();
  if (begin == vocabulary.unknown() || end == vocabulary.unknown()) {
    throw RequestError(
        "the published layout has no place for a model without rows for the "
        "boundaries of sentences");
  }
  name(begin, "<S>");
  name(end, "</S>");
  return words;
}

}  // namespace

PublishedModel to_published(LoadedModel&& model) {
  LoadedModel from = std::move(model);
  if (is_published(from.options)) {
    return {std::move(from.options), std::move(from.parameters), std::move(from.lexicon.words), {}};
  }
  require_place(from.options);
  ModelOptions options = from.options;
  options.word_dim = 0;
  options.word_characters = 0;
  options.always_projects = false;
  options.lstm.always_projects = false;
  options.lstm.forget_offset = 1.0F;
  Parameters parameters(options);
  for (ModelParameter& parameter : parameters.all()) {
    if (parameter.spec.role == ParameterRole::word_embedding) {
      parameter.values = projected(from.parameters, options.n_tokens_vocab);
    } else {
      parameter.values = std::move(from.parameters.at(parameter.spec.name).values);
    }
  }
  const float offset = 1.0F - from.options.lstm.forget_offset;
  const auto cells = static_cast<std::ptrdiff_t>(options.lstm.dim);
  for (const std::vector<LstmIndex>& direction : parameters.index().lstm) {
    for (const LstmIndex& layer : direction) {
      const auto forget = parameters[layer.gates.bias].values.begin() + 2 * cells;
      std::for_each(forget, forget + cells, [&](float& value) { value -= offset; });
    }
  }
  PublishedModel result{options,
                        std::move(parameters),
                        Vocabulary(published_words(from.lexicon.words.value())),
                        {"the rows of words are projected once and for all"}};
  if (offset != 0.0F) {
    result.losses.emplace_back(
        "biases of forget gates are stored less 1, which readers add: their last bits may differ");
  }
  result.losses.emplace_back(
      "tokens that spell the boundaries of sentences are unknown words in the published layout");
  if (from.options.word_characters > 0) {
    result.losses.push_back("words of more than " + std::to_string(from.options.word_characters) +
                            " characters, which this model cuts, are looked up whole");
  }
  return result;
}

}  // namespace elmo

#include "io/model/convert.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/kernels/precision.h"
#include "core/model/token_encoder.h"
#include "core/text.h"
#include "core/workers.h"
#include "io/model/vocabulary.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

[[noreturn]] void refuse_conversion(const std::string& reason) {
  throw RequestError("the published layout cannot hold this model: " + reason);
}

void require_bytes(const ModelOptions& options) {
  if (!options.char_cnn) return;
  if (options.has_words()) {
    refuse_conversion(
        "its tokens are words beside characters, which are code points; expected bytes as "
        "characters, or words alone");
  }
  refuse_conversion("its characters are the code points of a dictionary; expected bytes");
}

constexpr float kPublishedOffset = 1.0F;

/// Returns the options of a word-level model with the LSTMs of `from`.
ModelOptions word_level(const ModelOptions& from, std::int64_t words) {
  if (from.lstm.always_projects && from.lstm.dim == from.lstm.projection_dim) {
    refuse_conversion("its LSTMs project " + std::to_string(from.lstm.dim) +
                      " cells to as many outputs; expected cells and outputs of different numbers");
  }
  ModelOptions options;
  options.lstm = from.lstm;
  options.lstm.always_projects = false;
  options.lstm.forget_offset = kPublishedOffset;
  options.n_tokens_vocab = words;
  return options;
}

/// Moves the parameters of the LSTMs and subtracts the forget gate's offset from its bias.
void move_lstms(LoadedModel& from, Parameters& to, std::vector<std::string>& losses) {
  for (std::size_t direction = 0; direction < 2; ++direction) {
    for (std::size_t layer = 0; layer < to.index().lstm[direction].size(); ++layer) {
      const LstmIndex& source = from.parameters.index().lstm[direction][layer];
      const LstmIndex& target = to.index().lstm[direction][layer];
      to[target.gates.weights].values = from.parameters.take(source.gates.weights);
      to[target.gates.bias].values = from.parameters.take(source.gates.bias);
      if (!target.projection) continue;
      to[*target.projection].values = from.parameters.take(source.projection.value());
    }
  }
  const float offset = kPublishedOffset - from.options.lstm.forget_offset;
  if (offset == 0.0F) return;
  const auto cells = static_cast<std::ptrdiff_t>(from.options.lstm.dim);
  for (const std::vector<LstmIndex>& direction : to.index().lstm) {
    for (const LstmIndex& layer : direction) {
      const auto forget = to[layer.gates.bias].values.begin() + 2 * cells;
      std::for_each(forget, forget + cells, [&](float& value) { value -= offset; });
    }
  }
  losses.emplace_back(
      "biases of forget gates are stored less 1, which readers add: their last bits may differ");
}

/// to[row] = row of `table` · W + b, in double precision, so that the result is the same
/// everywhere.
AlignedVector<float> projected(StoredParameters& parameters, std::int64_t words) {
  const AffineIndex& index = parameters.index().token_projection.value();
  const std::vector<std::int64_t>& shape = parameters.specs()[index.weights].shape;
  const AlignedVector<float> table = parameters.take(parameters.index().word_embedding.value());
  const AlignedVector<float> weights = parameters.take(index.weights);
  const AlignedVector<float> bias = parameters.take(index.bias);
  const auto inputs = static_cast<std::size_t>(shape[0]);
  const auto outputs = static_cast<std::size_t>(shape[1]);
  AlignedVector<float> rows(static_cast<std::size_t>(words) * outputs);
  std::vector<double> sums(outputs);
  for (std::size_t row = 0; row < static_cast<std::size_t>(words); ++row) {
    std::copy(bias.begin(), bias.end(), sums.begin());
    for (std::size_t i = 0; i < inputs; ++i) {
      const double value = table[row * inputs + i];
      for (std::size_t o = 0; o < outputs; ++o) {
        sums[o] += value * double{weights[i * outputs + o]};
      }
    }
    std::transform(sums.begin(), sums.end(),
                   rows.begin() + static_cast<std::ptrdiff_t>(row * outputs),
                   [](double sum) { return static_cast<float>(sum); });
  }
  return rows;
}

/// Returns the words by row, with the published names of the reserved ones.
std::vector<std::string> published_words(const Vocabulary& vocabulary) {
  const ReservedWords as;
  std::vector<std::string> words;
  for (std::int64_t row = 0; row < vocabulary.size(); ++row) {
    const std::string& word = vocabulary.word(row);
    const bool taken = word == as.begin_sentence || word == as.end_sentence || word == as.unknown;
    if (taken || !fits_vocabulary_file(word)) {
      throw RequestError("the published layout cannot hold the word " +
                         excerpt(escaped_name(word)) + ", row " + std::to_string(row) +
                         " of this model");
    }
    words.push_back(word);
  }
  const auto name = [&](std::int64_t row, std::string_view word) {
    words[static_cast<std::size_t>(row)] = word;
  };
  name(vocabulary.unknown(), as.unknown);
  const std::int64_t begin = vocabulary.begin_sentence();
  const std::int64_t end = vocabulary.end_sentence();
  if (begin == vocabulary.unknown() || end == vocabulary.unknown()) {
    throw RequestError(
        "the published layout cannot hold a model without rows for the "
        "boundaries of sentences");
  }
  name(begin, as.begin_sentence);
  name(end, as.end_sentence);
  return words;
}

/// Computes the vector of each word, [V, P].
void encode_words(const TokenEncoder& encoder, const Vocabulary& words, float* table,
                  std::int64_t width) {
  constexpr std::size_t kAtOnce = 4096;
  constexpr std::string_view kUnknownCharacter = "\xef\xbf\xbd";
  std::vector<std::string_view> tokens(words.words().begin(), words.words().end());
  tokens[static_cast<std::size_t>(words.unknown())] = kUnknownCharacter;
  EncoderWorkspace workspace;
  for (std::size_t first = 0; first < tokens.size(); first += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, tokens.size() - first);
    encoder.encode(std::span(tokens).subspan(first, count),
                   table + static_cast<std::int64_t>(first) * width, workspace);
  }
  const auto put = [&](std::int64_t row, std::span<const float> vector) {
    std::copy(vector.begin(), vector.end(), table + row * width);
  };
  put(words.begin_sentence(), encoder.begin_sentence());
  put(words.end_sentence(), encoder.end_sentence());
}

}  // namespace

ConvertedModel to_published_layout(LoadedModel&& model) {
  LoadedModel from = std::move(model);
  if (fits_published_layout(from.options)) {
    return {std::move(from.options),
            from.parameters.to_parameters(),
            std::move(from.lexicon.words),
            {}};
  }
  require_bytes(from.options);
  const Vocabulary& known = from.lexicon.words.value();
  const ModelOptions options = word_level(from.options, known.size());
  ConvertedModel result{options,
                        Parameters(options),
                        Vocabulary(published_words(known)),
                        {"the rows of words are projected once and for all"}};
  result.parameters[result.parameters.index().word_embedding.value()].values =
      projected(from.parameters, known.size());
  move_lstms(from, result.parameters, result.losses);
  result.losses.emplace_back(
      "tokens that spell the boundaries of sentences are unknown words in the published layout");
  if (from.options.word_characters > 0) {
    result.losses.push_back("words of more than " + std::to_string(from.options.word_characters) +
                            " characters, which this model cuts, are looked up whole");
  }
  return result;
}

ConvertedModel to_words(LoadedModel&& model, Vocabulary words) {
  LoadedModel from = std::move(model);
  if (!from.options.char_cnn) {
    throw RequestError("this model knows its own words; expected one that reads characters");
  }
  // Like embed(), so that words keep their vectors.
  set_threads_of_this_thread(1);
  const ModelOptions options = word_level(from.options, words.size());
  Parameters parameters(options);
  const TokenEncoder encoder(from.options, std::move(from.lexicon), from.parameters,
                             Precision::float32);
  float* table = parameters[parameters.index().word_embedding.value()].values.data();
  encode_words(encoder, words, table, options.lstm.projection_dim);
  std::vector<std::string> losses{"words outside the " + std::to_string(words.size()) +
                                  " given share one vector: their characters are no longer read"};
  move_lstms(from, parameters, losses);
  return {options, std::move(parameters), std::move(words), std::move(losses)};
}

}  // namespace elmo

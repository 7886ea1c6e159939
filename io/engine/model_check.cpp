#include "io/engine/model_check.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/inference/embed.h"
#include "core/text.h"
#include "io/engine/listener.h"
#include "io/model/weights.h"

namespace elmo {
namespace {

/// No known model comes near this; bytes in the wrong order give far more.
constexpr float kMaxMagnitude = 1000.0F;

/// Smallest deviation between tokens. Random models have more than 0.01.
constexpr double kMinDeviation = 1e-5;

/// Returns the sentences of warm_text(), which end with full stops.
std::vector<Sentence> built_in_sentences() {
  const auto document = std::make_shared<const Document>(Document{0, "the built-in text"});
  std::vector<Sentence> sentences;
  bool begins = true;
  for (const std::string_view token : warm_tokens()) {
    if (begins) sentences.emplace_back().document = document;
    sentences.back().add(token, {});
    begins = token == ".";
  }
  return sentences;
}

/// Returns the range of row `row` in values [tokens, rows of `layout`, width].
LayerRange range_of(std::span<const float> values, const ActivationLayout& layout,
                    std::size_t row) {
  const auto width = static_cast<std::size_t>(layout.width);
  const auto stride = static_cast<std::size_t>(layout.values_per_token());
  const std::size_t count = values.size() / stride;
  const auto tokens = static_cast<double>(count);
  LayerRange range{layout.rows[row], values[row * width], values[row * width]};
  double variance = 0.0;
  for (std::size_t column = row * width; column < (row + 1) * width; ++column) {
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t i = column; i < values.size(); i += stride) {
      range.least = std::min(range.least, values[i]);
      range.greatest = std::max(range.greatest, values[i]);
      sum += values[i];
    }
    for (std::size_t i = column; i < values.size(); i += stride) {
      squares += std::pow(values[i] - sum / tokens, 2);
    }
    variance += squares / tokens;
  }
  range.deviation = std::sqrt(variance / static_cast<double>(width));
  return range;
}

/// True if the model reads words only and knows none of the text's words: all its tokens then have
/// the same vector.
bool knows_no_word(const LoadedModel& model, const std::vector<Sentence>& text) {
  if (model.options.char_cnn || !model.lexicon.words) return false;
  return std::ranges::none_of(text, [&](const Sentence& sentence) {
    for (std::size_t token = 0; token < sentence.size(); ++token) {
      if (model.lexicon.words->contains(sentence.encoded(token))) return true;
    }
    return false;
  });
}

/// `distinct`: different tokens have different vectors.
void check_layers(const Bilm& model, SentenceList text, bool distinct, ModelCheck& check) {
  KeepingSink kept;
  try {
    embed({.model = model, .source = text, .sink = kept});
  } catch (const NumericError& error) {
    check.problems.emplace_back(error.what());
    return;
  }
  const ActivationLayout layout = activation_layout(model.options(), {});
  for (std::size_t row = 0; row < layout.rows.size(); ++row) {
    const LayerRange& range =
        check.layers.emplace_back(range_of(kept.block.activations, layout, row));
    const float most = std::max(-range.least, range.greatest);
    if (most > kMaxMagnitude) {
      check.problems.push_back("activations of " + range.layer + " reach " + human_number(most, 3) +
                               "; expected at most " + human_number(kMaxMagnitude, 4));
    }
    if (distinct && range.deviation < kMinDeviation) {
      check.problems.push_back("activations of " + range.layer +
                               " are the same for all tokens; expected different ones");
    }
  }
}

void check_perplexity(const Bilm& model, const SoftmaxLayer& softmax, SentenceList text,
                      ModelCheck& check) {
  PerplexityResult result;
  try {
    result = perplexity(model, softmax, text, {}, kNeverStop, nullptr);
  } catch (const NumericError& error) {
    check.problems.emplace_back(error.what());
    return;
  }
  check.perplexity = result;
  check.vocabulary = static_cast<std::uint64_t>(softmax.vocabulary.size());
  const bool mostly_unknown = 2 * result.unknown > result.tokens;
  if (mostly_unknown && std::isfinite(result.perplexity().average)) return;
  if (!(result.perplexity().average < static_cast<double>(check.vocabulary))) {
    check.problems.push_back("the perplexity of the built-in text is " +
                             human_number(result.perplexity().average, 4) +
                             "; expected less than guessing among the " +
                             human_count(check.vocabulary, "word") + " of the softmax has");
  }
}

/// Takes the parameters and the words out of `loaded`.
ModelCheck checked(const ModelLocation& location, LoadedModel& loaded) {
  const std::optional<SoftmaxLayer> softmax = read_softmax(location, loaded.options);
  const std::vector<Sentence> sentences = built_in_sentences();
  const bool distinct = !knows_no_word(loaded, sentences);
  const Bilm bilm = pack(loaded, Precision::float32);
  ModelCheck check;
  check_layers(bilm, SentenceList(sentences), distinct, check);
  if (softmax && !check.layers.empty()) {
    check_perplexity(bilm, *softmax, SentenceList(sentences), check);
  }
  return check;
}

}  // namespace

InspectedModel inspect_model(const std::filesystem::path& path, bool check) {
  ModelLocation location = locate_model(path);
  LoadedModel loaded = load_model(location);
  InspectedModel model{std::move(location), std::move(loaded)};
  model.parameters = model.loaded.parameters.count();
  model.has_words = model.loaded.lexicon.words.has_value();
  if (!check) return model;
  if (model.loaded.options.has_words() && !model.has_words) {
    throw InputError(path.string() +
                     ": has no vocab.txt; expected it beside the weights: the model reads "
                     "words, and is not known to be whole without them");
  }
  model.check = checked(model.location, model.loaded);
  return model;
}

}  // namespace elmo

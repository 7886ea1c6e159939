#include "io/engine/model.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/inference/embed.h"
#include "core/text.h"
#include "io/engine/listener.h"
#include "io/files/paths.h"
#include "io/model/weights.h"

namespace elmo {

namespace fs = std::filesystem;

namespace {

/// Returns the path of the installed model of that name, unless a path of that name is a model,
/// too.
std::optional<std::filesystem::path> chosen_installed(const std::string& name) {
  std::optional<std::filesystem::path> installed = installed_model(name);
  if (!installed || !is_there(name)) return installed;
  try {
    locate_model(std::filesystem::path(name));
    return std::nullopt;
  } catch (const InputError&) {
    return installed;  // such as a run's folder that is named after the model
  }
}

/// The files of a model, and its name if it is installed.
struct FoundModel {
  ModelLocation location;
  std::string installed;
};

FoundModel found_model(const ModelSpec& spec) {
  FoundModel found;
  ModelLocation& location = found.location;
  if (spec.model == kAutoModel) {
    throw RequestError(Setting::model +
                       " auto chooses by the text that `elmo embed` reads; name a model here");
  }
  if (!spec.model.empty()) {
    const std::optional<fs::path> installed = chosen_installed(spec.model);
    location = locate_model(installed.value_or(spec.model));
    if (installed) found.installed = spec.model;
  } else if (!spec.options.empty() && !spec.weights.empty()) {
    location = {spec.options, spec.weights, std::nullopt, std::nullopt};
  } else if (std::optional<ModelLocation> installed = default_model()) {
    location = *std::move(installed);
    found.installed = kDefaultModel;
  } else {
    const char* const folder = std::getenv("ELMO_MODEL_PATH");
    const std::string searched = folder == nullptr || *folder == '\0'
                                     ? ""
                                     : " in the folder of ELMO_MODEL_PATH, " + std::string(folder);
    throw RequestError(std::string("no model given, and the default, ") + kDefaultModel +
                       ", is not installed" + searched + ": use " + Setting::model + " PATH");
  }
  if (!spec.vocabulary.empty()) {
    if (location.archive) {
      throw RequestError(Setting::vocab + " goes with a model in a folder; that of " + spec.model +
                         " lies in the archive");
    }
    if (location.many_langs) {
      throw RequestError(Setting::vocab + " goes with a model in the published layout; that of " +
                         spec.model + " has its words in word.dic");
    }
    location.vocabulary = spec.vocabulary;
  }
  return found;
}

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
      if (model.lexicon.words->contains(sentence.token(token))) return true;
    }
    return false;
  });
}

/// `distinct`: different tokens have different vectors.
void check_layers(const Bilm& model, SentenceList text, bool distinct, ModelCheck& check) {
  KeepingSink kept;
  try {
    embed(model, text, kept, {}, {}, kNeverStop, nullptr);
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
    result = perplexity(model, softmax, text, {}, kNeverStop, nullptr, nullptr);
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

}  // namespace

std::filesystem::path model_path(const std::string& model) {
  return chosen_installed(model).value_or(model);
}

ModelLocation locate_model(const ModelSpec& spec) { return found_model(spec).location; }

OpenedModel open_model(const ModelSpec& spec, const TokenizerRequest& tokenizer) {
  FoundModel found = found_model(spec);
  TokenizerSettings chosen = choose_tokenizer(tokenizer, found.location);
  LoadedModel loaded = load_model(found.location);
  if (!spec.vocabulary.empty() && loaded.options.char_cnn) {
    throw RequestError(Setting::vocab +
                       " goes with a model that reads words; this one reads characters");
  }
  loaded.name = spec.model;
  if (spec.model.empty()) loaded.name = spec.options.empty() ? kDefaultModel : spec.weights;
  return {std::move(found.location), std::move(loaded), std::move(chosen),
          std::move(found.installed)};
}

void require_trainable(const std::string& model, const ModelLocation& location) {
  if (!location.many_langs) return;
  throw RequestError(
      Setting::model + ": found a model of ELMoForManyLangs, " + model +
      "; expected one in the published layout, as training writes; "
      "'elmo convert' makes one of a model that reads words alone, or for a list of words");
}

std::vector<std::string> files_of(const ModelLocation& location) {
  std::vector<std::string> files;
  const auto add = [&files](const std::optional<fs::path>& file) {
    if (file) files.push_back(file->string());
  };
  if (location.archive) return {location.archive->string()};
  for (const auto& file :
       {std::optional(location.options), std::optional(location.weights), location.vocabulary,
        location.softmax, location.softmax_vocabulary, location.tokenizer, location.language}) {
    add(file);
  }
  if (const std::optional<ManyLangsFiles>& many = location.many_langs) {
    for (const auto& file : {std::optional(many->encoder), std::optional(many->token_embedder),
                             many->config, many->words, many->characters}) {
      add(file);
    }
  }
  return files;
}

ModelOptions model_options(const ArchitectureSpec& spec) {
  if (!spec.options.empty()) return read_options(spec.options).options;
  if (!spec.preset.empty()) return *preset(spec.preset);
  throw RequestError("no architecture given: use " + Setting::preset + " " +
                     joined(preset_names(), "|") + " or " + Setting::options + " FILE");
}

ModelCheck check_model(const ModelLocation& location, LoadedModel&& model) {
  LoadedModel loaded = std::move(model);
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

}  // namespace elmo

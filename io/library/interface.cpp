#include "io/library/interface.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>

#include "core/enum_table.h"
#include "core/error.h"
#include "core/text.h"
#include "core/version.h"
#include "io/model/model.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

/// An error with its texts.
struct OwnedError : elmo_error {
  OwnedError(int error_code, std::string text, std::string setting_name)
      : elmo_error{error_code, "", ""}, text_(std::move(text)), setting_(std::move(setting_name)) {
    message = text_.c_str();
    setting = setting_.c_str();
  }

 private:
  std::string text_;
  std::string setting_;
};

/// Exists before memory runs out, and is never freed.
elmo_error no_memory{ELMO_NO_MEMORY, "out of memory", ""};

/// Returns the end of a message with a remedy that the library's settings offer.
std::string advice(Remedy remedy) {
  if (remedy.name == "list_models") {
    const std::string names = joined(installed_models(), ", ", &InstalledModel::name);
    return names.empty() ? "" : " (" + names + ")";
  }
  if (remedy.name == "give_vocabulary") return "; give it with vocab";
  if (remedy.name == "compute_in_float32") return "; use the precision float32";
  if (remedy.name == "name_model_files") return "; name the two files with options and weights";
  return "";
}

elmo_error* error_of(int code, const Error& error) {
  std::string text = error.message().text();
  std::string setting;
  for (const Message::Part& part : error.message().parts()) {
    if (const auto* const remedy = std::get_if<Remedy>(&part)) text += advice(*remedy);
    const auto* const named = std::get_if<Setting>(&part);
    if (named != nullptr && setting.empty()) setting = named->name;
  }
  return new OwnedError(code, escaped_name(text), std::move(setting));
}

}  // namespace

elmo_error* current_error() noexcept {
  try {
    try {
      throw;
    } catch (const RequestError& error) {
      return error_of(ELMO_BAD_REQUEST, error);
    } catch (const InputError& error) {
      return error_of(ELMO_BAD_INPUT, error);
    } catch (const NumericError& error) {
      return error_of(ELMO_NOT_FINITE, error);
    } catch (const Error& error) {
      return error_of(ELMO_SYSTEM, error);
    } catch (const std::system_error& error) {  // of file systems, too
      return new OwnedError(ELMO_SYSTEM, escaped_name(error.what()), "");
    } catch (const std::bad_alloc&) {
      return &no_memory;
    } catch (const std::exception& error) {
      return new OwnedError(ELMO_UNEXPECTED, escaped_name(error.what()), "");
    }
  } catch (...) {
    return &no_memory;  // to tell the reason
  }
}

namespace {

/// Returns the members that both the program and this version know; the others are 0.
elmo_settings known_members(const elmo_settings& settings) {
  constexpr std::size_t kMaxSize = std::size_t{64} << 10;  // far more than any version will have
  if (settings.size < sizeof settings.size || settings.size % alignof(elmo_settings) != 0 ||
      settings.size > kMaxSize) {
    throw RequestError("elmo_settings: found a size of " + std::to_string(settings.size) +
                       "; expected sizeof(elmo_settings), " + std::to_string(sizeof settings) +
                       " in version " + std::string(version()));
  }
  elmo_settings known{};
  std::memcpy(&known, &settings, std::min(settings.size, sizeof known));
  const std::span all(reinterpret_cast<const std::byte*>(&settings), settings.size);
  const std::span unknown = all.subspan(std::min(settings.size, sizeof known));
  const bool is_used =
      std::ranges::any_of(unknown, [](std::byte byte) { return byte != std::byte{}; });
  if (is_used) {
    throw RequestError("elmo_settings: found a size of " + std::to_string(settings.size) +
                       " with members that are set and not known; expected at most the " +
                       std::to_string(sizeof known) + " bytes of version " +
                       std::string(version()));
  }
  return known;
}

std::string text_of(const char* text) { return text == nullptr ? "" : text; }

/// Sets `value` to what `word` stands for, unless it is null.
template <typename Value, typename Enum, std::size_t size>
void choose(Value& value, const char* word, const EnumTable<Enum, size>& table, Setting setting) {
  if (word == nullptr) return;
  const std::optional<Enum> found = table.find(word);
  if (!found) {
    throw RequestError(setting + ": found '" + excerpt(word) + "'; expected one of " +
                       table.words());
  }
  value = *found;
}

std::optional<PoolOptions> pooling(const elmo_settings& settings) {
  if (settings.pool == nullptr) {
    if (settings.pool_by == nullptr && settings.unit_length == 0) return std::nullopt;
    throw RequestError(Setting{"pool"} + " is not set; expected it with pool_by or unit_length");
  }
  PoolOptions pool;
  choose(pool.kind, settings.pool, kPoolKinds, Setting{"pool"});
  choose(pool.unit, settings.pool_by, kPoolUnits, Setting{"pool_by"});
  pool.normalize = settings.unit_length != 0;
  return pool;
}

/// Throws RequestError if a setting is given that has an effect only with another one.
void require(bool holds, bool is_given, Setting setting, const char* condition) {
  if (is_given && !holds) throw RequestError(setting + " makes sense only with " + condition);
}

/// Returns a number. RequestError unless it is between `least` and `most`.
int whole(int number, int least, int most, Setting setting) {
  if (number >= least && number <= most) return number;
  throw RequestError(setting + ": found " + std::to_string(number) + "; expected " +
                     std::to_string(least) + " to " + std::to_string(most));
}

void check_mix(const elmo_settings& settings, LayerSelection layers) {
  const bool mix = layers == LayerSelection::mix;
  const std::size_t count = settings.mix_weight_count;
  require(mix, settings.mix_weights != nullptr || count > 0, Setting{"mix_weights"}, "layers mix");
  require(mix, settings.gamma != 0, Setting{"gamma"}, "layers mix");
  require(mix || layers == LayerSelection::average, settings.layer_norm != 0, Setting{"layer_norm"},
          "layers average or mix");
  if ((settings.mix_weights == nullptr) != (count == 0)) {
    throw RequestError(
        Setting{"mix_weights"} + ": found " +
        (count == 0 ? "weights and a mix_weight_count of 0"
                    : "a mix_weight_count of " + std::to_string(count) + " and no weights") +
        "; expected both or neither");
  }
  const auto is_finite = [](float number) { return std::isfinite(number); };
  if (!std::ranges::all_of(std::span(settings.mix_weights, count), is_finite)) {
    throw RequestError(Setting{"mix_weights"} + ": found one that is not finite");
  }
  if (!is_finite(settings.gamma)) {
    throw RequestError(Setting{"gamma"} + ": found a number that is not finite");
  }
}

EmbedOptions embed_options(const elmo_settings& settings) {
  EmbedOptions options;
  choose(options.layers, settings.layers, kLayerSelections, Setting{"layers"});
  check_mix(settings, options.layers);
  options.mix_weights.assign(settings.mix_weights,
                             settings.mix_weights + settings.mix_weight_count);
  if (settings.gamma != 0) options.gamma = settings.gamma;
  options.layer_norm = settings.layer_norm != 0;
  choose(options.initial_state, settings.initial_state, kInitialStates, Setting{"initial_state"});
  require(options.initial_state == InitialState::carry, settings.lanes != 0, Setting{"lanes"},
          "initial_state carry");
  if (settings.lanes != 0) {
    options.lanes = whole(settings.lanes, 1, kMaxStateLanes, Setting{"lanes"});
  }
  options.boundaries = settings.boundaries != 0;
  options.pool = pooling(settings);
  return options;
}

ModelSpec model_spec(const elmo_settings& settings) {
  ModelSpec spec{text_of(settings.model), text_of(settings.options), text_of(settings.weights),
                 text_of(settings.vocab)};
  if (spec.options.empty() != spec.weights.empty()) {
    const bool options = spec.weights.empty();
    throw RequestError(Setting{options ? "options" : "weights"} + " without " +
                       Setting{options ? "weights" : "options"} +
                       ": expected both files of a model");
  }
  if (!spec.model.empty() && !spec.options.empty()) {
    throw RequestError(Setting{"model"} + " with " + Setting{"options"} + " and " +
                       Setting{"weights"} + ": expected a model or its two files");
  }
  return spec;
}

}  // namespace

EmbedRequest request_of(const elmo_settings* given) {
  EmbedRequest request;
  if (given == nullptr) return request;
  const elmo_settings settings = known_members(*given);
  request.model = model_spec(settings);
  choose(request.precision, settings.precision, kPrecisions, Setting{"precision"});
  request.input.request = {text_of(settings.tokenizer), text_of(settings.locale)};
  choose(request.input.request.contractions, settings.contractions, kContractionModes,
         Setting{"contractions"});
  choose(request.input.request.normalization, settings.normalize, kNormalizations,
         Setting{"normalize"});
  request.input.lines = settings.lines != 0;
  if (settings.max_sentence_tokens != 0) request.max_sentence_tokens = settings.max_sentence_tokens;
  request.embed = embed_options(settings);
  request.resources.threads = whole(settings.threads, 0, kMaxThreads, Setting{"threads"});
  request.resources.memory_bytes = settings.memory;
  validate(request);
  return request;
}

OwnedVectors::OwnedVectors(std::span<const Sentence> sentences, std::size_t texts,
                           const ActivationLayout& layout, std::vector<float>&& numbers)
    : elmo_vectors{}, values_(std::move(numbers)) {
  std::size_t bytes = 0;
  for (const Sentence& sentence : sentences) {
    token_count += sentence.size();
    bytes += sentence.token_bytes() + sentence.size();
  }
  text_begins_.reserve(texts + 1);
  sentence_begins_.reserve(sentences.size() + 1);
  characters_.reserve(bytes);  // so that pointers into it stay valid
  tokens_.reserve(token_count);
  spans_.reserve(token_count);
  for (const Sentence& sentence : sentences) add(sentence);
  text_begins_.resize(texts + 1, sentences.size());
  sentence_begins_.push_back(token_count);

  text_count = texts;
  text_begins = text_begins_.data();
  sentence_count = sentences.size();
  sentence_begins = sentence_begins_.data();
  tokens = tokens_.data();
  spans = spans_.data();
  row_count = layout.rows.size();
  width = static_cast<std::size_t>(layout.width);
  vector_count = values_.size() / (row_count * width);
  values = values_.data();
}

void OwnedVectors::add(const Sentence& sentence) {
  text_begins_.resize(std::max<std::size_t>(text_begins_.size(), sentence.document->number + 1),
                      sentence_begins_.size());
  sentence_begins_.push_back(tokens_.size());
  for (std::size_t token = 0; token < sentence.size(); ++token) {
    tokens_.push_back(characters_.data() + characters_.size());
    characters_.append(sentence.token(token)).push_back('\0');
    const ByteSpan& span = sentence.spans()[token];
    spans_.push_back({span.begin, span.end});
  }
}

}  // namespace elmo

void elmo_error_free(elmo_error* error) {
  if (error != &elmo::no_memory) delete static_cast<elmo::OwnedError*>(error);
}

void elmo_vectors_free(elmo_vectors* vectors) { delete static_cast<elmo::OwnedVectors*>(vectors); }

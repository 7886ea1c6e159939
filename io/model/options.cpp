#include "io/model/options.h"

#include <cmath>
#include <stdexcept>

#include "core/error.h"
#include "core/model/parameters.h"
#include "io/files/descriptor.h"
#include "io/json/json.h"

namespace elmo {

std::vector<CharFilter> parse_char_filters(const JsonNode& node) {
  std::vector<CharFilter> filters;
  for (const JsonNode& pair : node.elements("an array of pairs [width, count] of whole numbers")) {
    const std::vector<JsonNode> numbers = pair.elements("[width, count] in whole numbers");
    if (numbers.size() != 2) pair.refuse("[width, count] in whole numbers");
    filters.push_back({numbers[0].whole(), numbers[1].whole()});
  }
  return filters;
}

namespace {

constexpr std::int64_t kDefaultMaxCharacters = 50;  // every published model

std::optional<std::int64_t> optional_whole(const JsonNode& node) {
  return node.is_there() ? std::optional(node.whole()) : std::nullopt;
}

std::optional<float> optional_number(const JsonNode& node) {
  return node.is_there() ? std::optional(node.float_number()) : std::nullopt;
}

/// Reads an optional flag; some files have 1 and 0.
bool is_set(const JsonNode& node) {
  if (!node.is_there()) return false;
  return node.is_number() ? node.whole(0, 1) == 1 : node.flag();
}

CharCnnOptions parse_char_cnn(const JsonNode& section, std::vector<std::string>& remarks) {
  CharCnnOptions options;
  options.embedding_dim = section["embedding"]["dim"].whole();
  options.filters = parse_char_filters(section["filters"]);
  options.n_highway = optional_whole(section["n_highway"]).value_or(0);
  if (options.n_highway == 0) remarks.emplace_back("no highway layers");
  options.activation = section["activation"].choice(kActivations);
  const auto max_characters = optional_whole(section["max_characters_per_token"]);
  if (!max_characters) {
    remarks.push_back("max_characters_per_token is not said; taken as " +
                      std::to_string(kDefaultMaxCharacters));
  }
  options.max_characters_per_token = max_characters.value_or(kDefaultMaxCharacters);
  const std::int64_t characters = optional_whole(section["n_characters"]).value_or(kCharacterIds);
  if (characters != kCharacterIds && characters != kCharacterIds + 1) {
    section["n_characters"].refuse("261, or 262 with the row of the mask");
  }
  return options;
}

/// Readers of published files add this to the forget gate's bias, as TensorFlow's LSTMCell does.
constexpr float kForgetOffset = 1.0F;

LstmOptions parse_lstm(const JsonNode& section, std::vector<std::string>& remarks) {
  LstmOptions options;
  options.dim = section["dim"].whole();
  options.projection_dim = section["projection_dim"].whole();
  const auto layers = optional_whole(section["n_layers"]);
  if (!layers) remarks.emplace_back("n_layers is not said; taken as 1");
  options.n_layers = layers.value_or(1);
  options.cell_clip = optional_number(section["cell_clip"]);
  if (!options.cell_clip) remarks.emplace_back("no cell_clip");
  options.proj_clip = optional_number(section["proj_clip"]);
  if (!options.proj_clip) remarks.emplace_back("no proj_clip");
  options.forget_offset = kForgetOffset;
  options.use_skip_connections = is_set(section["use_skip_connections"]);
  if (!options.use_skip_connections) remarks.emplace_back("no skip connections");
  return options;
}

/// Formats whole numbers without a fraction: 3, not 3.0.
Json number_or_null(const std::optional<float>& value) {
  if (!value) return nullptr;
  if (std::trunc(*value) == *value && std::abs(*value) < 1e6F) {
    return static_cast<std::int64_t>(*value);
  }
  return static_cast<double>(*value);
}

}  // namespace

ParsedOptions parse_options(std::string_view text, const std::string& name) {
  if (text.size() > kMaxOptionsBytes) {
    throw InputError(name + ": has " + std::to_string(text.size()) + " bytes; expected at most " +
                     std::to_string(kMaxOptionsBytes));
  }
  const JsonDocument root(text, name, "an object with the key lstm");
  ParsedOptions parsed;
  ModelOptions& options = parsed.options;
  options.lstm = parse_lstm(root["lstm"], parsed.remarks);
  bool says_vocabulary = true;
  if (root["char_cnn"].is_there()) {
    options.char_cnn = parse_char_cnn(root["char_cnn"], parsed.remarks);
  } else {
    parsed.remarks.emplace_back("no char_cnn: a word-level model");
    const auto words = optional_whole(root["n_tokens_vocab"]);
    says_vocabulary = words.has_value();
    options.n_tokens_vocab = words.value_or(1);
  }
  name_errors(name, [&] { validate(options); });
  if (!says_vocabulary) options.n_tokens_vocab = 0;
  return parsed;
}

bool fits_published_layout(const ModelOptions& options) {
  const bool published_characters = !options.char_cnn || options.char_cnn->dictionary_size == 0;
  return options.lstm.forget_offset == kForgetOffset && !options.lstm.always_projects &&
         !options.always_projects && published_characters && options.word_dim == 0 &&
         options.word_characters == 0 && !(options.char_cnn && options.has_words());
}

std::string options_text(const ModelOptions& options) {
  if (!fits_published_layout(options)) {
    throw std::logic_error("published files cannot hold such a model");
  }
  return options_description(options);
}

std::string options_description(const ModelOptions& options) {
  Json json;
  json["lstm"] = {{"use_skip_connections", options.lstm.use_skip_connections},
                  {"projection_dim", options.lstm.projection_dim},
                  {"cell_clip", number_or_null(options.lstm.cell_clip)},
                  {"proj_clip", number_or_null(options.lstm.proj_clip)},
                  {"dim", options.lstm.dim},
                  {"n_layers", options.lstm.n_layers}};
  if (options.char_cnn) {
    const CharCnnOptions& cnn = *options.char_cnn;
    Json filters = Json::array();
    for (const auto& [width, count] : cnn.filters) filters.push_back({width, count});
    json["char_cnn"] = {
        {"activation", kActivations.word(cnn.activation)},
        {"filters", filters},
        {"n_highway", cnn.n_highway},
        {"embedding", {{"dim", cnn.embedding_dim}}},
        // Published files have 261 rows but state 262: their readers add the row of the mask.
        {"n_characters", kCharacterIds + 1},
        {"max_characters_per_token", cnn.max_characters_per_token}};
  }
  if (options.has_words()) {
    json["n_tokens_vocab"] = options.n_tokens_vocab == 0 ? Json() : Json(options.n_tokens_vocab);
  }
  if (fits_published_layout(options)) return json.dump();
  json["lstm"]["forget_offset"] = options.lstm.forget_offset;
  json["lstm"]["always_projects"] = options.lstm.always_projects;
  if (options.char_cnn) {
    json["char_cnn"]["n_characters"] = options.char_cnn->dictionary_size;
    json["char_cnn"]["characters"] = "code points";
  }
  if (options.has_words()) {
    json["word_dim"] = options.word_width();
    json["word_characters"] = options.word_characters;
  }
  json["always_projects"] = options.always_projects;
  return json.dump();
}

}  // namespace elmo

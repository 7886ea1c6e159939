#include "io/model/many_langs/architecture.h"

#include <optional>

#include "core/model/presets.h"
#include "io/files/name_errors.h"
#include "io/json/json_document.h"
#include "io/model/folder/char_filters.h"

namespace elmo {
namespace {

/// Sets the options that all models of this family share and that their files do not state.
void add_family(ModelOptions& options) {
  options.lstm.use_skip_connections = true;
  options.lstm.forget_offset = 0.0F;  // their biases are stored with it
  options.lstm.always_projects = true;
  options.always_projects = true;
}

std::optional<float> clip(const JsonNode& node) {
  if (node.is_null()) return std::nullopt;
  const float value = node.float_number();
  return value == 0.0F ? std::nullopt : std::optional(value);
}

LstmOptions parse_encoder(const JsonNode& section) {
  const std::string name = section["name"].text();
  if (name == "lstm") {
    section["name"].refuse(
        "\"elmo\": in an encoder \"lstm\" the upper layers see both directions, so that "
        "it is no biLM and has no forward and backward layers");
  }
  if (name != "elmo") section["name"].refuse("\"elmo\"");
  LstmOptions options;
  options.dim = section["dim"].whole();
  options.projection_dim = section["projection_dim"].whole();
  options.n_layers = section["n_layers"].whole();
  options.cell_clip = clip(section["cell_clip"]);
  options.proj_clip = clip(section["proj_clip"]);
  return options;
}

CharCnnOptions parse_characters(const JsonNode& section) {
  CharCnnOptions options;
  options.embedding_dim = section["char_dim"].whole();
  options.filters = parse_char_filters(section["filters"]);
  options.n_highway = section["n_highway"].whole();
  options.max_characters_per_token = section["max_characters_per_token"].whole();
  options.activation = section["activation"].choice(kActivations);
  options.dictionary_size = 1;
  return options;
}

void parse_token_embedder(const JsonNode& section, ModelOptions& options) {
  const std::string name = section["name"].text();
  const std::int64_t word_dim = section["word_dim"].whole();
  const bool has_characters = section["char_dim"].whole() > 0;
  if (name != "cnn" && name != "lstm") {
    section["name"].refuse("\"cnn\", or \"lstm\" with words alone");
  }
  if (name == "lstm" && has_characters) {
    section["name"].refuse(
        "\"cnn\": with characters their own program does not compute an \"lstm\"");
  }
  if (word_dim <= 0 && !has_characters) {
    section["char_dim"].refuse("characters or words of some width");
  }
  if (has_characters) options.char_cnn = parse_characters(section);
  if (word_dim > 0) {
    options.word_dim = word_dim;
    options.n_tokens_vocab = 1;
  }
  if (word_dim > 0 && name == "cnn") {
    // The marks around a token count, even without characters.
    options.word_characters =
        section["max_characters_per_token"].whole(kMinCharactersPerToken, kMaxCharactersPerToken) -
        2;
  }
}

}  // namespace

ModelOptions parse_architecture(std::string_view text, const std::string& name) {
  const JsonDocument root(text, name, "the architecture of a model, with the key encoder");
  ModelOptions options;
  options.lstm = parse_encoder(root["encoder"]);
  parse_token_embedder(root["token_embedder"], options);
  add_family(options);
  name_errors(name, [&] { validate(options); });
  return options;
}

ModelOptions default_architecture() {
  ModelOptions options = preset("original").value();
  options.char_cnn->embedding_dim = 50;
  options.char_cnn->dictionary_size = 1;
  options.n_tokens_vocab = 1;
  options.word_dim = 100;
  options.word_characters = options.char_cnn->max_characters_per_token - 2;
  add_family(options);
  return options;
}

}  // namespace elmo

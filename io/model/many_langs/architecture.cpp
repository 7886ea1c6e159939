#include "io/model/many_langs/architecture.h"

#include <optional>

#include "core/error.h"
#include "core/model/presets.h"
#include "io/model/json_section.h"

namespace elmo {
namespace {

/// What all their models have in common, beside what they say.
void add_family(ModelOptions& options) {
  options.lstm.use_skip_connections = true;
  options.lstm.forget_offset = 0.0F;  // their biases are stored with it
  options.lstm.always_projects = true;
  options.always_projects = true;
}

std::optional<float> clip(const JsonSection& section, const std::string& key) {
  if (!section.has(key)) section.refuse(key, nullptr, "a number, or null for none");
  const std::optional<float> value = section.optional_float(key);
  return value == 0.0F ? std::nullopt : value;
}

LstmOptions parse_encoder(const JsonSection& section) {
  const std::string name = section.text("name");
  if (name == "lstm") {
    section.refuse("name", section.find("name"),
                   "\"elmo\": in an encoder \"lstm\" the upper layers see both directions, so that "
                   "it is no biLM and has no forward and backward layers");
  }
  if (name != "elmo") section.refuse("name", section.find("name"), "\"elmo\"");
  LstmOptions options;
  options.dim = section.integer("dim");
  options.projection_dim = section.integer("projection_dim");
  options.n_layers = section.integer("n_layers");
  options.cell_clip = clip(section, "cell_clip");
  options.proj_clip = clip(section, "proj_clip");
  return options;
}

CharCnnOptions parse_characters(const JsonSection& section) {
  CharCnnOptions options;
  options.embedding_dim = section.integer("char_dim");
  options.filters = section.filters("filters");
  options.n_highway = section.integer("n_highway");
  options.max_characters_per_token = section.integer("max_characters_per_token");
  options.activation = section.activation("activation");
  options.dictionary_size = 1;
  return options;
}

void parse_token_embedder(const JsonSection& section, ModelOptions& options) {
  const std::string name = section.text("name");
  const std::int64_t word_dim = section.integer("word_dim");
  const bool has_characters = section.integer("char_dim") > 0;
  if (name != "cnn" && name != "lstm") {
    section.refuse("name", section.find("name"), "\"cnn\", or \"lstm\" with words alone");
  }
  if (name == "lstm" && has_characters) {
    section.refuse("name", section.find("name"),
                   "\"cnn\": with characters their own program does not compute an \"lstm\"");
  }
  if (word_dim <= 0 && !has_characters) {
    section.refuse("char_dim", section.find("char_dim"), "characters or words of some width");
  }
  if (has_characters) options.char_cnn = parse_characters(section);
  if (word_dim > 0) {
    options.word_dim = word_dim;
    options.n_tokens_vocab = 1;
  }
  if (word_dim > 0 && name == "cnn") {
    // The frame of a token counts, also where there are no characters to frame.
    const std::int64_t most = section.integer("max_characters_per_token");
    if (most < kMinCharactersPerToken || most > kMaxCharactersPerToken) {
      section.refuse("max_characters_per_token", section.find("max_characters_per_token"),
                     "a whole number from " + std::to_string(kMinCharactersPerToken) + " to " +
                         std::to_string(kMaxCharactersPerToken));
    }
    options.word_characters = most - 2;
  }
}

}  // namespace

ModelOptions parse_architecture(std::string_view text, const std::string& name) {
  const auto json =
      parse_json_object(text, name, "the architecture of a model, with the key encoder");
  const JsonSection root(json, name, "");
  ModelOptions options;
  options.lstm = parse_encoder(root.object("encoder"));
  parse_token_embedder(root.object("token_embedder"), options);
  add_family(options);
  try {
    validate(options);
  } catch (const InputError& error) {
    throw InputError(name + ": " + error.what());
  }
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

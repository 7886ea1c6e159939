#include "io/model/many_langs_architecture.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "io/files/descriptor.h"
#include "io/files/paths.h"
#include "io/json/json_document.h"
#include "io/model/options.h"
#include "io/text/segment/utf8.h"

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
        "it is not a biLM and has no forward and backward layers");
  }
  if (name != "elmo") section["name"].refuse("\"elmo\"");
  LstmOptions options;
  options.dim = section["dim"].whole(1, kMaxDimension);
  options.projection_dim = section["projection_dim"].whole(1, kMaxDimension);
  options.n_layers = section["n_layers"].whole(1, kMaxLayers);
  options.cell_clip = clip(section["cell_clip"]);
  options.proj_clip = clip(section["proj_clip"]);
  return options;
}

CharCnnOptions parse_characters(const JsonNode& section) {
  CharCnnOptions options;
  options.embedding_dim = section["char_dim"].whole(1, kMaxDimension);
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
    // The marks around a token count, even if it has no characters.
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

namespace {

/// Returns the architecture that ELMoForManyLangs ships with. All models published by its authors
/// have it. It equals the original ELMo, with character embeddings of size 50 and word embeddings
/// of size 100.
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

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxConfigurationBytes = std::uint64_t{1} << 20;

/// The files that ELMoForManyLangs ships with; both have the same content.
constexpr std::array<const char*, 2> kUsualNames{"cnn_50_100_512_4096_sample.json",
                                                 "cnn_0_100_512_4096_sample.json"};

/// Returns the path that config.json names, also one in Windows notation; empty if there is no
/// config.json or it names none.
fs::path config_path(const ManyLangsFiles& files) {
  if (!files.config) return {};
  const JsonDocument root(files.config->content(kMaxConfigurationBytes), files.config->name(),
                          "the config.json of a model");
  if (!root["config_path"].is_there()) return {};
  std::string path = root["config_path"].text();
  std::ranges::replace(path, '\\', '/');
  return path;
}

/// Finds the file of that name relative to the model's folder; the path must not leave the folder.
std::optional<ModelFile> find_beside(const ManyLangsFiles& files, const fs::path& name) {
  const fs::path inner = name.lexically_normal();
  if (inner.empty() || inner.is_absolute() || *inner.begin() == "..") return std::nullopt;
  const fs::path& archive = files.encoder.archive;
  if (!archive.empty()) {
    if (std::ranges::find(files.json, inner.string()) == files.json.end()) return std::nullopt;
    return ModelFile(files.folder + inner.string(), archive);
  }
  const fs::path path = fs::path(files.folder) / inner;
  return is_file(path) ? std::optional<ModelFile>(path) : std::nullopt;
}

ModelOptions read(const ModelFile& file) {
  return parse_architecture(file.content(kMaxConfigurationBytes), file.name());
}

}  // namespace

ModelOptions read_architecture(const ManyLangsFiles& files, std::vector<std::string>& remarks) {
  const fs::path named = config_path(files);
  if (const auto file = find_beside(files, named)) return read(*file);
  if (const auto file = find_beside(files, named.filename())) {
    remarks.push_back("the architecture is that of " + escaped_name(named.filename().string()) +
                      " beside the model; config_path names it elsewhere");
    return read(*file);
  }
  if (named.is_absolute() && is_file(named)) {
    remarks.push_back("the architecture is that of " + escaped_name(named.string()));
    return read(named);
  }
  for (const char* usual : kUsualNames) {
    const auto file = find_beside(files, usual);
    if (!file) continue;
    remarks.push_back("the architecture is that of " + std::string(usual) +
                      " beside the model; what config_path names is not there");
    return read(*file);
  }
  remarks.emplace_back(
      "no file tells the architecture (config.json and the .json that it names are missing): taken "
      "as that of all the models that their authors published");
  return default_architecture();
}

}  // namespace elmo

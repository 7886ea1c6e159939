#include "io/model/many_langs.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "io/files/descriptor.h"
#include "io/files/paths.h"
#include "io/json/json_document.h"
#include "io/model/many_langs_weights.h"
#include "io/model/options.h"
#include "io/model/torch_file.h"
#include "io/text/segment/characters.h"
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

/// Returns the architecture of the model of these files. It is read from the file that config.json
/// names as `config_path`, looked up relative to the model's folder, by its file name alone, and at
/// the original path. Otherwise it is read from the usual file next to the model, or is the one
/// that comes with ELMoForManyLangs. Adds to `remarks` if it was not the first of these. InputError
/// as parse_architecture.
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

/// Maximum size of a dictionary.
constexpr std::size_t kMaxDictionaryBytes = std::size_t{256} << 20;

/// Maximum size of a file of tensors; the largest known model takes 300 MB.
constexpr std::uint64_t kMaxTensorBytes = std::uint64_t{1} << 36;

constexpr ReservedWords kReserved{"<bos>", "<eos>", "<oov>", true};

constexpr std::string_view kIdeographicSpace = "\xe3\x80\x80";

struct Entry {
  std::string_view key;
  std::uint64_t row = 0;
};

/// Calls `refuse`, with what was found and expected, for a line that is not an entry.
template <typename Refuse>
Entry parse_line(std::string_view line, const Refuse& refuse) {
  line = without_outer_white_space(line);
  const std::size_t tab = line.find('\t');
  // Of a line "KEY TAB ROW" with a white-space key, only the row is left.
  const bool has_key = tab != std::string_view::npos;
  const auto row = number_of<std::uint64_t>(has_key ? line.substr(tab + 1) : line);
  if (!row) {
    refuse(line.empty() ? "is blank" : "holds " + excerpt(escaped_name(line)),
           "a key, a tab and the number of a row");
  }
  return {has_key ? line.substr(0, tab) : kIdeographicSpace, *row};
}

/// ELMoForManyLangs swaps the two marks: it puts the mark of a token's end at its beginning.
CharMarks marks() {
  return {.begin_sentence = "<bos>",
          .end_sentence = "<eos>",
          .begin_word = "<eow>",
          .end_word = "<bow>",
          .padding = "<pad>",
          .unknown = "<oov>"};
}

/// Returns the result of `make` for the keys of a dictionary; its errors begin with the file's
/// name.
template <typename Make>
auto read_dictionary(const ModelFile& encoder, const std::optional<ModelFile>& file,
                     const char* usual_name, const Make& make) {
  if (!file) {
    throw InputError(encoder.name() + " has no " + usual_name +
                     " beside it; expected the rows of the model's table there");
  }
  const std::string name = file->name();
  auto keys = parse_dictionary(file->content(kMaxDictionaryBytes), name);
  return name_errors(name, [&] { return make(std::move(keys)); });
}

torch::TensorFile open(const ModelFile& file) {
  const LocalModelFile local(file, kMaxTensorBytes);
  return {local.path(), file.name()};
}

}  // namespace

std::vector<std::string> parse_dictionary(std::string_view text, const std::string& name) {
  RepairedText repaired;
  repaired.assign(text);
  if (const std::size_t byte = repaired.first_repair(); byte != RepairedText::npos) {
    throw InputError(name + ": byte " + std::to_string(byte) +
                     " is not UTF-8; expected a dictionary in UTF-8");
  }
  const auto refuse_line = [&](std::size_t line, const std::string& found,
                               const std::string& expected) {
    throw InputError(name + ":" + std::to_string(line) + ": " + found + "; expected " + expected);
  };
  // Checks keys before it makes the tables, so that a text without entries, or with one entry many
  // times, takes little memory.
  std::vector<Entry> entries;
  std::unordered_map<std::string_view, std::size_t> line_of_key;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::size_t line = entries.size() + 1;
    const auto refuse = std::bind_front(refuse_line, line);
    entries.push_back(parse_line(text.substr(0, end), refuse));
    if (const auto [key, is_new] = line_of_key.emplace(entries.back().key, line); !is_new) {
      refuse("the key of line " + std::to_string(key->second) + " again", "each key once");
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const std::size_t lines = entries.size();
  std::vector<std::string> keys(lines);
  std::vector<std::size_t> line_of_row(lines, 0);
  for (std::size_t line = 1; line <= lines; ++line) {
    const auto refuse = std::bind_front(refuse_line, line);
    const Entry& entry = entries[line - 1];
    if (entry.row >= lines) {
      refuse("row " + std::to_string(entry.row) + " of " + std::to_string(lines) + " entries",
             "rows from 0 to " + std::to_string(lines - 1));
    }
    if (line_of_row[entry.row] != 0) {
      refuse("the row of line " + std::to_string(line_of_row[entry.row]) + " again",
             "each row once");
    }
    line_of_row[entry.row] = line;
    keys[entry.row] = entry.key;
  }
  return keys;
}

ManyLangsModel read_many_langs(const ManyLangsFiles& files) {
  std::vector<std::string> remarks;
  ModelOptions options = read_architecture(files, remarks);
  const std::string source = remarks.empty() ? "" : " (" + remarks.back() + ")";
  Lexicon lexicon;
  if (options.char_cnn) {
    lexicon.characters = read_dictionary(
        files.encoder, files.characters, "char.dic",
        [](std::vector<std::string> keys) { return CharDictionary(std::move(keys), marks()); });
    options.char_cnn->dictionary_size = lexicon.characters->size();
  }
  if (options.has_words()) {
    lexicon.words = read_dictionary(
        files.encoder, files.words, "word.dic",
        [](std::vector<std::string> keys) { return Vocabulary(std::move(keys), kReserved); });
    options.n_tokens_vocab = lexicon.words->size();
  }
  try {
    Parameters parameters =
        read_many_langs_weights(open(files.token_embedder), open(files.encoder), options, remarks);
    return {std::move(options), std::move(parameters), std::move(lexicon), std::move(remarks)};
  } catch (const InputError& error) {
    // Names the source of the architecture, because it may be the reason for unexpected weights.
    throw InputError(error.what() + source);
  }
}

}  // namespace elmo

#include "io/model/many_langs.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "io/files/descriptor.h"
#include "io/model/many_langs_architecture.h"
#include "io/model/many_langs_weights.h"
#include "io/model/torch_file.h"
#include "io/text/segment/characters.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

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

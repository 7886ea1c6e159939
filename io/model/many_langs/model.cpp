#include "io/model/many_langs/model.h"

#include <optional>
#include <utility>

#include "core/error.h"
#include "io/files/name_errors.h"
#include "io/model/folder/files.h"
#include "io/model/many_langs/configuration.h"
#include "io/model/many_langs/dictionary.h"
#include "io/model/many_langs/weights.h"
#include "io/model/torch/file.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

/// Maximum size of a file of tensors; the largest known model takes 300 MB.
constexpr std::uint64_t kMaxTensorBytes = std::uint64_t{1} << 36;

constexpr ReservedWords kReserved{"<bos>", "<eos>", "<oov>", true};

/// ELMoForManyLangs uses the mark of a token's end at its beginning, and the reverse.
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
auto read_dictionary(const ModelLocation& location, const std::optional<fs::path>& file,
                     const char* usual_name, const Make& make) {
  if (!file) {
    throw InputError(model_file_name(location, location.many_langs->encoder) + " has no " +
                     usual_name + " beside it; expected the rows of the model's table there");
  }
  const std::string name = model_file_name(location, *file);
  auto keys = parse_dictionary(read_model_file(location, *file, kMaxDictionaryBytes), name);
  return name_errors(name, [&] { return make(std::move(keys)); });
}

torch::TensorFile open(const ModelLocation& location, const fs::path& file) {
  const LocalModelFile local(location, file, kMaxTensorBytes);
  return {local.path(), model_file_name(location, file)};
}

}  // namespace

ManyLangsModel read_many_langs(const ModelLocation& location) {
  const ManyLangsFiles& files = *location.many_langs;
  std::vector<std::string> remarks;
  ModelOptions options = read_architecture(location, remarks);
  Lexicon lexicon;
  if (options.char_cnn) {
    lexicon.characters = read_dictionary(
        location, files.characters, "char.dic",
        [](std::vector<std::string> keys) { return CharDictionary(std::move(keys), marks()); });
    options.char_cnn->dictionary_size = lexicon.characters->size();
  }
  if (options.has_words()) {
    lexicon.words = read_dictionary(
        location, files.words, "word.dic",
        [](std::vector<std::string> keys) { return Vocabulary(std::move(keys), kReserved); });
    options.n_tokens_vocab = lexicon.words->size();
  }
  Parameters parameters = read_many_langs_weights(open(location, files.token_embedder),
                                                  open(location, files.encoder), options, remarks);
  return {std::move(options), std::move(parameters), std::move(lexicon), std::move(remarks)};
}

}  // namespace elmo

#include "io/model/model.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/auxv.h>

#include <cstdlib>
#include <functional>
#include <map>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/workers.h"
#include "io/files/checksum.h"
#include "io/files/paths.h"
#include "io/model/many_langs.h"
#include "io/model/tensorflow_weights.h"
#include "io/model/vocabulary.h"
#include "io/model/weights.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

/// Includes the size, so that the boundary between texts matters.
void add(Checksum& checksum, std::string_view text) {
  checksum.add(std::to_string(text.size()) + ":");
  checksum.add(text);
}

/// Maximum size of a weights file of such a model: float64, and space for HDF5's own data.
std::uint64_t max_weights_bytes(ModelOptions options) {
  constexpr std::uint64_t kOwn = std::uint64_t{1} << 24;
  if (options.has_words() && options.n_tokens_vocab == 0) options.n_tokens_vocab = kMaxVocabulary;
  std::uint64_t bytes = kOwn;
  for (const ParameterSpec& spec : parameter_list(options).specs) {
    bytes += sizeof(double) * spec.size();
  }
  return bytes;
}

std::optional<Vocabulary> load_vocabulary(const ModelLocation& location,
                                          const ModelOptions& options) {
  if (options.char_cnn || !location.vocabulary) return std::nullopt;
  const std::string name = location.vocabulary->name();
  Vocabulary vocabulary = parse_vocabulary(location.vocabulary->content(kMaxVocabularyBytes), name);
  if (vocabulary.size() != options.n_tokens_vocab) {
    throw InputError(name + ": has " + std::to_string(vocabulary.size()) + " words; expected " +
                     std::to_string(options.n_tokens_vocab) +
                     ", one for each row of the embedding");
  }
  return vocabulary;
}

/// Completes a model of either family. `check` examines all parameters while their fingerprint is
/// computed.
LoadedModel finish(const ModelLocation& location, ModelOptions&& options,
                   StoredParameters&& parameters, Lexicon&& lexicon,
                   std::vector<std::string>&& remarks,
                   const std::function<void(const StoredParameters&)>& check) {
  auto fingerprint = run_beside([&] {
    return model_fingerprint(options, parameters, lexicon.words ? &*lexicon.words : nullptr,
                             lexicon.characters ? &*lexicon.characters : nullptr);
  });
  check(parameters);
  if (location.softmax_lacks_words) {
    remarks.emplace_back(
        "the softmax is not read: its words (vocabulary.txt, vocab.txt) are missing");
  }
  std::optional<TokenizerDescription> tokenizer = read_tokenizer(location);
  std::optional<LanguageDescription> language = read_language(location);
  std::string text = fingerprint.get();
  return {std::move(options), std::move(parameters), std::move(lexicon), std::move(text),
          std::move(remarks), std::move(tokenizer),  std::move(language)};
}

StoredParameters read_parameters(const ModelLocation& location, ParsedOptions& parsed) {
  if (is_checkpoint(location.weights.path)) {
    return read_tensorflow_weights(location.weights, location.options.name(), parsed.options,
                                   parsed.remarks);
  }
  const LocalModelFile weights(location.weights, max_weights_bytes(parsed.options));
  return read_weights(weights.path(), location.weights.name(), parsed.options, parsed.remarks);
}

/// A file, and the folders of models relative to its own.
struct OwnFile {
  std::string path;
  std::vector<const char*> models;
};

/// Returns the shared library that this code is a part of, or the program.
OwnFile own_file() {
  constexpr const char* kFromBuild = "share/elmo/models";
  Dl_info found{};
  void* map = nullptr;
  if (::dladdr1(&kDefaultModel, &found, &map, RTLD_DL_LINKMAP) != 0 &&
      *static_cast<const link_map*>(map)->l_name != '\0') {  // the program has no name there
    return {static_cast<const link_map*>(map)->l_name,
            {ELMO_MODELS_FROM_LIB, kFromBuild, "../libexec/elmo/share/elmo/models"}};
  }
  // The path of the program as it was started. /proc/self/exe may be missing, or name the loader.
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel's interface
  const auto* const started = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
  return {started == nullptr ? "" : started, {ELMO_MODELS_FROM_BIN, kFromBuild}};
}

std::vector<fs::path> model_folders() {
  const char* const chosen = std::getenv("ELMO_MODEL_PATH");
  if (chosen != nullptr && *chosen != '\0') return {chosen};
  const OwnFile own = own_file();
  std::error_code error;
  const fs::path beside = fs::canonical(own.path, error).parent_path();
  if (error) return {};
  std::vector<fs::path> folders;
  for (const char* const models : own.models) folders.push_back(beside / models);
  return folders;
}

}  // namespace

std::string model_fingerprint(const ModelOptions& options, const StoredParameters& parameters,
                              const Vocabulary* vocabulary, const CharDictionary* characters) {
  Checksum checksum;
  add(checksum, options_description(options));
  for (std::size_t i = 0; i < parameters.specs().size(); ++i) {
    const ParameterSpec& spec = parameters.specs()[i];
    add(checksum, spec.name);
    for (const std::int64_t extent : spec.shape) add(checksum, std::to_string(extent));
    parameters.for_each_piece(
        i, [&](std::span<const float> piece) { checksum.add(std::as_bytes(piece)); });
  }
  if (vocabulary != nullptr) add(checksum, vocabulary_text(*vocabulary));
  if (characters != nullptr) {
    for (const std::string& entry : characters->entries()) add(checksum, entry);
  }
  return checksum.hex();
}

Bilm pack(LoadedModel& model, Precision precision) {
  return Bilm(model.options, std::move(model.parameters), precision, std::move(model.lexicon));
}

ParsedOptions read_options(const ModelFile& file) {
  return parse_options(file.content(kMaxOptionsBytes), file.name());
}

LoadedModel load_model(const ModelLocation& location) {
  if (location.many_langs) {
    ManyLangsModel model = read_many_langs(*location.many_langs);
    return finish(location, std::move(model.options), std::move(model.parameters),
                  std::move(model.lexicon), std::move(model.remarks),
                  [](const StoredParameters&) {});
  }
  ParsedOptions parsed = read_options(location.options);
  ModelOptions& options = parsed.options;
  StoredParameters parameters = read_parameters(location, parsed);
  Lexicon lexicon(load_vocabulary(location, options));
  return finish(location, std::move(options), std::move(parameters), std::move(lexicon),
                std::move(parsed.remarks), [&](const StoredParameters& read) {
                  require_finite(location.weights.name(), read);
                });
}

std::optional<fs::path> installed_model(const std::string& name) {
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos) {
    return std::nullopt;
  }
  for (const fs::path& folder : model_folders()) {
    if (is_folder(folder / name)) return (folder / name).lexically_normal();
  }
  return std::nullopt;
}

std::vector<InstalledModel> installed_models() {
  std::map<std::string, InstalledModel> models;
  for (const fs::path& folder : model_folders()) {
    for (const std::string& name : names_in(folder)) {
      if (models.contains(name)) continue;
      try {
        if (!is_folder(folder / name)) continue;
        const ModelLocation location = locate_model(folder / name);
        models[name] = {name, (folder / name).lexically_normal(), read_language(location)};
      } catch (const Error&) {
        // Skips a folder that cannot be read: other models are still available.
      }
    }
  }
  std::vector<InstalledModel> sorted;
  sorted.reserve(models.size());
  for (auto& [name, model] : models) sorted.push_back(std::move(model));
  return sorted;
}

}  // namespace elmo

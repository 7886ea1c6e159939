#include "io/model/location.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include "core/error.h"
#include "core/text.h"
#include "io/files/descriptor.h"
#include "io/files/paths.h"
#include "io/foreign_content.h"
#include "io/model/replacement.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOptionsName = "options.json";
constexpr const char* kIndexEnding = ".index";

/// The words of the softmax that AllenNLP publishes beside its models.
constexpr const char* kPublishedWords = "vocab-2016-09-10.txt";

/// Maximum size of a file `checkpoint`.
constexpr std::uint64_t kMaxCheckpointList = std::uint64_t{1} << 20;

/// Returns the part of a file name before "options.json": "", "NAME_" or "FOLDER/". Nothing if the
/// name does not end that way.
std::optional<std::string> prefix_of_options(const std::string& name) {
  if (!name.ends_with(kOptionsName)) return std::nullopt;
  std::string prefix = name.substr(0, name.size() - kOptionsName.size());
  if (!prefix.empty() && prefix.back() != '_' && prefix.back() != '/') return std::nullopt;
  return prefix;
}

/// Returns the ELMoForManyLangs model whose encoder is `encoder`.
std::optional<ModelLocation> many_langs_model(const std::string& encoder,
                                              const std::vector<std::string>& names) {
  constexpr std::string_view kEncoder = "encoder.pkl";
  if (!encoder.ends_with(kEncoder)) return std::nullopt;
  const std::string folder = encoder.substr(0, encoder.size() - kEncoder.size());
  if (!folder.empty() && folder.back() != '/') return std::nullopt;
  const auto companion = [&](const char* file) -> std::optional<std::filesystem::path> {
    if (!std::binary_search(names.begin(), names.end(), folder + file)) return std::nullopt;
    return folder + file;
  };
  const std::optional<std::filesystem::path> embedder = companion("token_embedder.pkl");
  if (!embedder) return std::nullopt;
  ModelLocation model;
  ManyLangsFiles& files = model.many_langs.emplace();
  files.encoder = encoder;
  files.token_embedder = *embedder;
  files.config = companion("config.json");
  files.words = companion("word.dic");
  files.characters = companion("char.dic");
  model.tokenizer = companion("tokenizer.json");
  model.language = companion(kLanguageFile);
  files.folder = folder;
  for (const std::string& name : names) {
    if (name.starts_with(folder) && name.ends_with(".json")) {
      files.json.push_back(name.substr(folder.size()));
    }
  }
  return model;
}

/// Returns the folder of a file, "" or "FOLDER/".
std::string folder_of(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string::npos ? "" : name.substr(0, slash + 1);
}

/// `names`: sorted.
bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::binary_search(names.begin(), names.end(), name);
}

/// Returns the model of two files, with all files beside them whose names begin with `prefix`.
ModelLocation published_model(const std::string& options, const std::string& weights,
                              const std::string& prefix, const std::vector<std::string>& names) {
  ModelLocation model;
  model.options = options;
  model.weights = weights;
  const auto named = [&](const std::string& file) -> std::optional<std::filesystem::path> {
    if (!has(names, file)) return std::nullopt;
    return file;
  };
  model.vocabulary = named(prefix + "vocab.txt");
  std::optional<std::filesystem::path> words = named(prefix + "vocabulary.txt");
  if (!words) words = named(folder_of(prefix) + kPublishedWords);
  if (!words) words = model.vocabulary;
  model.softmax = named(prefix + "softmax.hdf5");
  if (!model.softmax) {
    model.softmax = is_checkpoint(weights) ? model.weights : named(prefix + "softmax_weights.hdf5");
    if (is_checkpoint(weights)) model.vocabulary = words;
  }
  // The published vocabulary is downloaded separately: without it, the softmax cannot be used and
  // counts as missing.
  model.softmax_lacks_words = model.softmax && !words;
  if (model.softmax_lacks_words) model.softmax.reset();
  if (model.softmax) model.softmax_vocabulary = words;
  model.tokenizer = named(prefix + "tokenizer.json");
  model.language = named(prefix + kLanguageFile);
  return model;
}

/// Returns the content of a file among the names.
using ReadName = std::function<std::string(const std::string& name)>;

/// Returns the name of the checkpoint in the text of a file `checkpoint`. Drops folders, because
/// they are on the machine that trained: `model_checkpoint_path: "/data/model.ckpt-935588"`.
std::string newest_checkpoint(std::string_view text, const std::string& name) {
  constexpr std::string_view kKey = "model_checkpoint_path: \"";
  const std::size_t end = text.find('"', kKey.size());
  if (!text.starts_with(kKey) || end == std::string_view::npos) {
    throw InputError(name + ": does not begin with " + std::string(kKey) +
                     "; expected the name of a checkpoint there");
  }
  const std::string path(text.substr(kKey.size(), end - kKey.size()));
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

/// Returns the index of the checkpoint in a folder of the model at `path`; nothing if it has no
/// checkpoint.
std::optional<std::string> checkpoint_in(const std::string& folder,
                                         const std::vector<std::string>& names,
                                         const std::filesystem::path& path, const ReadName& read) {
  std::vector<std::string> found;
  for (const std::string& name : names) {
    if (is_checkpoint(name) && folder_of(name) == folder) found.push_back(name);
  }
  const std::string list = folder + "checkpoint";
  if (has(names, list)) {
    const std::string where = path.string() + ": " + list;
    const std::string newest = folder + newest_checkpoint(read(list), where);
    if (has(names, newest + kIndexEnding)) return newest + kIndexEnding;
    if (has(names, newest)) {
      throw InputError(where + " names " + excerpt(escaped_name(newest)) +
                       ", a checkpoint of TensorFlow's first format; expected the second, with " +
                       excerpt(escaped_name(newest)) + kIndexEnding +
                       " (restore it with TensorFlow, and save it again)");
    }
    throw InputError(where + " names " + excerpt(escaped_name(newest)) + ", but " +
                     excerpt(escaped_name(newest)) + kIndexEnding +
                     " is missing; copy that checkpoint into the folder, or remove " +
                     "the file checkpoint to use the only one there");
  }
  if (found.size() > 1) {
    throw InputError(path.string() + ": holds " + std::to_string(found.size()) + " checkpoints (" +
                         found[0] + ", " + found[1] + (found.size() > 2 ? ", …" : "") +
                         "); expected one, or the file checkpoint, which names the newest",
                     Remedy::name_model_files);
  }
  return found.empty() ? std::nullopt : std::optional(found.front());
}

/// Returns the model of the only file of options and the only weights, whose names say more than
/// usual: options262.json, elmo_weights_PubMed_only.hdf5.
std::optional<ModelLocation> only_pair(const std::vector<std::string>& names) {
  const auto only = [&](std::string_view word, std::string_view ending) {
    std::vector<std::string> found;
    for (const std::string& name : names) {
      const std::string_view file = std::string_view(name).substr(folder_of(name).size());
      const bool is_softmax = file.find("softmax") != std::string_view::npos;
      if (file.ends_with(ending) && file.find(word) != std::string_view::npos && !is_softmax) {
        found.push_back(name);
      }
    }
    return found.size() == 1 ? found.front() : "";
  };
  const std::string options = only("options", ".json");
  const std::string weights = only("weights", ".hdf5");
  if (options.empty() || weights.empty()) return std::nullopt;
  const std::string folder = folder_of(options);
  const std::string prefix = prefix_of_options(options).value_or(folder);
  if (folder_of(weights) != folder || !weights.starts_with(prefix)) return std::nullopt;
  return published_model(options, weights, prefix, names);
}

std::vector<ModelLocation> models_among(const std::vector<std::string>& names,
                                        const std::filesystem::path& path, const ReadName& read) {
  std::vector<ModelLocation> models;
  for (const std::string& name : names) {
    const std::optional<std::string> prefix = prefix_of_options(name);
    if (!prefix) continue;
    for (const char* weights : {"weights.hdf5", "model.hdf5"}) {
      if (!has(names, *prefix + weights)) continue;
      models.push_back(published_model(name, *prefix + weights, *prefix, names));
    }
  }
  for (const std::string& name : names) {
    if (std::optional<ModelLocation> model = many_langs_model(name, names)) {
      models.push_back(*std::move(model));
    }
  }
  if (!models.empty()) return models;
  for (const std::string& name : names) {
    const std::optional<std::string> prefix = prefix_of_options(name);
    if (!prefix) continue;
    const auto index = checkpoint_in(folder_of(*prefix), names, path, read);
    if (index) models.push_back(published_model(name, *index, *prefix, names));
  }
  if (!models.empty()) return models;
  if (std::optional<ModelLocation> model = only_pair(names)) models.push_back(*std::move(model));
  return models;
}

/// Lists a few names that look like parts of a model, for messages.
std::string parts_among(const std::vector<std::string>& names) {
  constexpr std::size_t kMax = 8;
  std::string parts;
  std::size_t count = 0;
  for (const std::string& name : names) {
    if (!name.ends_with(".json") && !name.ends_with(".hdf5") && !name.ends_with(".h5") &&
        !name.ends_with(".pkl") && !is_checkpoint(name)) {
      continue;
    }
    if (++count > kMax) return parts + ", …";
    parts += (parts.empty() ? "" : ", ") + name;
  }
  return parts.empty() ? "no .json, .hdf5 or .pkl file" : parts;
}

/// True for files that macOS adds to folders and archives: attributes of other files, with similar
/// names.
bool is_of_macos(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  return name.starts_with("__MACOSX/") || name.find("/__MACOSX/") != std::string::npos ||
         name.compare(slash == std::string::npos ? 0 : slash + 1, 2, "._") == 0;
}

ModelLocation only_model(const std::filesystem::path& path, std::vector<std::string> names,
                         const ReadName& read) {
  std::erase_if(names, is_of_macos);
  std::sort(names.begin(), names.end());
  const std::vector<ModelLocation> models = models_among(names, path, read);
  if (models.empty()) {
    throw InputError(path.string() + ": holds " + parts_among(names) +
                         "; expected options.json and weights.hdf5, NAME_options.json and "
                         "NAME_weights.hdf5, options.json and a checkpoint of TensorFlow, or "
                         "encoder.pkl and token_embedder.pkl",
                     Remedy::name_model_files);
  }
  if (models.size() > 1) {
    std::string candidates;
    for (const ModelLocation& model : models) {
      candidates += candidates.empty() ? " (" : ", ";
      candidates += model.many_langs ? model.many_langs->encoder.string()
                                     : model.options.string() + " with " + model.weights.string();
    }
    throw InputError(path.string() + ": holds " + std::to_string(models.size()) + " models" +
                         candidates + "); expected one",
                     Remedy::name_model_files);
  }
  return models.front();
}

void place_in(const std::filesystem::path& folder, ManyLangsFiles& files) {
  files.encoder = folder / files.encoder;
  files.token_embedder = folder / files.token_embedder;
  for (auto* file : {&files.config, &files.words, &files.characters}) {
    if (*file) *file = folder / **file;
  }
  files.folder = folder.string();
}

ModelLocation locate_in_folder(const std::filesystem::path& path) {
  std::vector<std::string> names;
  for (std::string& name : names_in(path)) {
    if (is_file(path / name)) names.push_back(std::move(name));
  }
  // If saving was interrupted, the files of the model have other names.
  const auto replacement = interrupted_replacement(path);
  if (replacement) {
    for (const char* name : kModelFiles) std::erase(names, name);
    for (const auto& [name, lies_under] : *replacement) names.push_back(name);
  }
  ModelLocation model = only_model(path, std::move(names), [&](const std::string& name) {
    return read_model_file({}, path / name, kMaxCheckpointList);
  });
  const auto complete = [&](std::filesystem::path& name) {
    if (replacement && replacement->contains(name)) name = replacement->at(name);
    name = path / name;
  };
  if (model.many_langs) {
    place_in(path, *model.many_langs);
  } else {
    complete(model.options);
    complete(model.weights);
  }
  for (std::optional<std::filesystem::path>* companion :
       {&model.vocabulary, &model.softmax, &model.softmax_vocabulary, &model.tokenizer,
        &model.language}) {
    if (*companion) complete(**companion);
  }
  return model;
}

void check_file(const fs::path& path) {
  if (!is_there(path)) {
    throw InputError("there is no file " + path.string() + download_advice(path));
  }
  if (!is_file(path)) {
    throw InputError(path.string() + " is not a regular file; expected a file of a model");
  }
}

}  // namespace

bool is_checkpoint(const std::filesystem::path& file) { return file.extension() == kIndexEnding; }

ModelLocation locate_model(const std::filesystem::path& path) {
  if (is_folder(path)) return locate_in_folder(path);
  if (!is_there(path)) {
    throw InputError("there is no model " + path.string() + "; expected an installed model" +
                     Message(Remedy::list_models) +
                     ", or a folder or a zip archive with options.json and weights.hdf5" +
                     download_advice(path));
  }
  if (!is_file(path) || !is_zip(path)) {
    const std::string foreign =
        is_file(path) ? foreign_content(read_head(path, kForeignHeadBytes)) : "";
    throw InputError(path.string() +
                         (foreign.empty() ? " is neither a folder nor a zip archive" : foreign) +
                         "; expected a folder or a zip archive with options.json and weights.hdf5",
                     Remedy::name_model_files);
  }
  ModelLocation model = only_model(path, zip_members(path), [&](const std::string& name) {
    return read_zip_member(path, name, kMaxCheckpointList);
  });
  model.archive = path;
  return model;
}

std::string model_file_name(const ModelLocation& location, const fs::path& file) {
  return location.archive ? location.archive->string() + ": " + file.string() : file.string();
}

std::string read_model_file(const ModelLocation& location, const fs::path& file,
                            std::uint64_t max_bytes) {
  if (location.archive) return read_zip_member(*location.archive, file.string(), max_bytes);
  check_file(file);
  std::optional<std::string> content = read_file_if_there(file, max_bytes);
  if (!content) throw InputError("there is no file " + file.string());
  return *std::move(content);
}

LocalModelFile::LocalModelFile(const ModelLocation& location, const fs::path& file,
                               std::uint64_t max_bytes)
    : path_(file) {
  if (location.archive) {
    path_ = unpacked_.emplace(*location.archive, file.string(), max_bytes).path();
  } else {
    check_file(file);
  }
}

}  // namespace elmo

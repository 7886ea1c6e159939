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

/// The files of a folder or an archive.
struct Listing {
  fs::path path;                   ///< folder or archive
  std::vector<std::string> names;  ///< sorted
  std::function<ModelFile(const std::string& name)> file;

  bool has(const std::string& name) const {
    return std::binary_search(names.begin(), names.end(), name);
  }
  /// Returns the file of that name, if there is one.
  std::optional<ModelFile> find(const std::string& name) const {
    return has(name) ? std::optional(file(name)) : std::nullopt;
  }
};

/// Returns the ELMoForManyLangs model whose encoder is `encoder`.
std::optional<ModelLocation> many_langs_model(const std::string& encoder, const Listing& listing) {
  constexpr std::string_view kEncoder = "encoder.pkl";
  if (!encoder.ends_with(kEncoder)) return std::nullopt;
  const std::string folder = encoder.substr(0, encoder.size() - kEncoder.size());
  if (!folder.empty() && folder.back() != '/') return std::nullopt;
  const auto companion = [&](const char* name) { return listing.find(folder + name); };
  std::optional<ModelFile> embedder = companion("token_embedder.pkl");
  if (!embedder) return std::nullopt;
  ModelLocation model;
  ManyLangsFiles& files = model.many_langs.emplace();
  files.encoder = listing.file(encoder);
  files.token_embedder = *std::move(embedder);
  files.config = companion("config.json");
  files.words = companion("word.dic");
  files.characters = companion("char.dic");
  model.tokenizer = companion("tokenizer.json");
  model.language = companion(kLanguageFile);
  files.folder = files.encoder.archive.empty() ? listing.path.string() : folder;
  for (const std::string& name : listing.names) {
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

/// Returns the model of two files, with all files beside them whose names begin with `prefix`.
ModelLocation published_model(const std::string& options, const std::string& weights,
                              const std::string& prefix, const Listing& listing) {
  ModelLocation model;
  model.options = listing.file(options);
  model.weights = listing.file(weights);
  model.vocabulary = listing.find(prefix + "vocab.txt");
  std::optional<ModelFile> words = listing.find(prefix + "vocabulary.txt");
  if (!words) words = listing.find(folder_of(prefix) + kPublishedWords);
  if (!words) words = model.vocabulary;
  model.softmax = listing.find(prefix + "softmax.hdf5");
  if (!model.softmax && is_checkpoint(weights)) {
    model.softmax = model.weights;
    model.vocabulary = words;
  } else if (!model.softmax) {
    model.softmax = listing.find(prefix + "softmax_weights.hdf5");
  }
  // The published vocabulary is downloaded separately: without it, the softmax cannot be used and
  // counts as missing.
  model.softmax_lacks_words = model.softmax && !words;
  if (model.softmax_lacks_words) model.softmax.reset();
  if (model.softmax) model.softmax_vocabulary = words;
  model.tokenizer = listing.find(prefix + "tokenizer.json");
  model.language = listing.find(prefix + kLanguageFile);
  return model;
}

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

/// Returns the index of the checkpoint in a folder of the listing; nothing if it has no checkpoint.
std::optional<std::string> checkpoint_in(const std::string& folder, const Listing& listing) {
  const fs::path& path = listing.path;
  std::vector<std::string> found;
  for (const std::string& name : listing.names) {
    if (is_checkpoint(name) && folder_of(name) == folder) found.push_back(name);
  }
  const std::string list = folder + "checkpoint";
  if (const std::optional<ModelFile> file = listing.find(list)) {
    const std::string where = path.string() + ": " + list;
    const std::string newest = folder + newest_checkpoint(file->content(kMaxCheckpointList), where);
    if (listing.has(newest + kIndexEnding)) return newest + kIndexEnding;
    if (listing.has(newest)) {
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
                     Remedy{"name_model_files"});
  }
  return found.empty() ? std::nullopt : std::optional(found.front());
}

/// Returns the model of the only file of options and the only weights, whose names say more than
/// usual: options262.json, elmo_weights_PubMed_only.hdf5.
std::optional<ModelLocation> only_pair(const Listing& listing) {
  const auto only = [&](std::string_view word, std::string_view ending) {
    std::vector<std::string> found;
    for (const std::string& name : listing.names) {
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
  return published_model(options, weights, prefix, listing);
}

std::vector<ModelLocation> models_among(const Listing& listing) {
  std::vector<ModelLocation> models;
  for (const std::string& name : listing.names) {
    const std::optional<std::string> prefix = prefix_of_options(name);
    if (!prefix) continue;
    for (const char* weights : {"weights.hdf5", "model.hdf5"}) {
      if (!listing.has(*prefix + weights)) continue;
      models.push_back(published_model(name, *prefix + weights, *prefix, listing));
    }
  }
  for (const std::string& name : listing.names) {
    if (std::optional<ModelLocation> model = many_langs_model(name, listing)) {
      models.push_back(*std::move(model));
    }
  }
  if (!models.empty()) return models;
  for (const std::string& name : listing.names) {
    const std::optional<std::string> prefix = prefix_of_options(name);
    if (!prefix) continue;
    const auto index = checkpoint_in(folder_of(*prefix), listing);
    if (index) models.push_back(published_model(name, *index, *prefix, listing));
  }
  if (!models.empty()) return models;
  if (std::optional<ModelLocation> model = only_pair(listing)) models.push_back(*std::move(model));
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

/// Returns a file's name in its folder or archive.
std::string name_in_listing(const ModelFile& file) {
  return (file.archive.empty() ? file.path.filename() : file.path).string();
}

/// `listing.names`: in any order.
ModelLocation only_model(Listing listing) {
  std::erase_if(listing.names, is_of_macos);
  std::sort(listing.names.begin(), listing.names.end());
  const std::vector<ModelLocation> models = models_among(listing);
  if (models.empty()) {
    throw InputError(listing.path.string() + ": holds " + parts_among(listing.names) +
                         "; expected options.json and weights.hdf5, NAME_options.json and "
                         "NAME_weights.hdf5, options.json and a checkpoint of TensorFlow, or "
                         "encoder.pkl and token_embedder.pkl",
                     Remedy{"name_model_files"});
  }
  if (models.size() > 1) {
    std::string candidates;
    for (const ModelLocation& model : models) {
      candidates += candidates.empty() ? " (" : ", ";
      candidates += model.many_langs ? name_in_listing(model.many_langs->encoder)
                                     : name_in_listing(model.options) + " with " +
                                           name_in_listing(model.weights);
    }
    throw InputError(listing.path.string() + ": holds " + std::to_string(models.size()) +
                         " models" + candidates + "); expected one",
                     Remedy{"name_model_files"});
  }
  return models.front();
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
  return only_model({path, std::move(names), [&](const std::string& name) -> ModelFile {
                       const bool replaced = replacement && replacement->contains(name);
                       return path / (replaced ? replacement->at(name) : name);
                     }});
}

}  // namespace

bool is_checkpoint(const std::filesystem::path& file) { return file.extension() == kIndexEnding; }

ModelLocation locate_model(const std::filesystem::path& path) {
  if (is_folder(path)) return locate_in_folder(path);
  if (!is_there(path)) {
    throw InputError("there is no model " + path.string() + "; expected an installed model" +
                     Message(Remedy{"list_models"}) +
                     ", or a folder or a zip archive with options.json and weights.hdf5" +
                     download_advice(path));
  }
  if (!is_file(path) || !is_zip(path)) {
    const std::string foreign =
        is_file(path) ? foreign_content(read_head(path, kForeignHeadBytes)) : "";
    throw InputError(path.string() +
                         (foreign.empty() ? " is neither a folder nor a zip archive" : foreign) +
                         "; expected a folder or a zip archive with options.json and weights.hdf5",
                     Remedy{"name_model_files"});
  }
  return only_model(
      {path, zip_members(path), [&](const std::string& name) { return ModelFile(name, path); }});
}

}  // namespace elmo

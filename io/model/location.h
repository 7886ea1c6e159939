// Finds the files of a model, in a folder or an archive.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/model/archive.h"

namespace elmo {

/// Name of the file with a model's language.
inline constexpr const char* kLanguageFile = "language.json";

/// The files of an ELMoForManyLangs model; see io/model/many_langs.h.
struct ManyLangsFiles {
  ModelFile encoder;
  ModelFile token_embedder;
  std::optional<ModelFile> config = std::nullopt;
  std::optional<ModelFile> words = std::nullopt;
  std::optional<ModelFile> characters = std::nullopt;
  /// The folder that names in the configuration are relative to; in an archive it ends in "/".
  std::string folder;
  std::vector<std::string> json;  ///< names of .json files, relative to `folder`
};

/// The files of a model.
struct ModelLocation {
  ModelFile options;
  ModelFile weights;  ///< HDF5, or the index of a checkpoint of TensorFlow
  std::optional<ModelFile> vocabulary = std::nullopt;  ///< word-level models only
  // Other files that training writes.
  std::optional<ModelFile> softmax = std::nullopt;
  std::optional<ModelFile> softmax_vocabulary = std::nullopt;
  bool softmax_lacks_words = false;  ///< there is one, but it cannot be read without its vocabulary
  std::optional<ModelFile> tokenizer = std::nullopt;
  // Description that the distributor of the model adds.
  std::optional<ModelFile> language = std::nullopt;
  /// Set for an ELMoForManyLangs model; `options` and `weights` are empty then.
  std::optional<ManyLangsFiles> many_langs = std::nullopt;
};

/// Finds the one model in a folder or a zip archive, in one of these forms:
///   - options.json with weights.hdf5 or model.hdf5 next to it, and optionally vocab.txt,
///     softmax.hdf5 and vocabulary.txt. All names may begin with a common NAME_, and in an archive
///     the files may be in a folder. Published names of the softmax are known, too:
///     softmax_weights.hdf5 with vocab-2016-09-10.txt or vocab.txt.
///   - Without such weights: options.json with a checkpoint of TensorFlow next to it, the one that
///     the file `checkpoint` names, or without that file the only CHECKPOINT.index. Its softmax is
///     located if one of the vocabularies is present.
///   - Without any of these: one file *options*.json and one file *weights*.hdf5.
///   - encoder.pkl with token_embedder.pkl next to it, and optionally config.json, word.dic and
///     char.dic.
/// All forms may have tokenizer.json and language.json. InputError, listing the files found, if
/// there is no model or more than one, and if the named checkpoint is missing or of TensorFlow's
/// first format.
ModelLocation locate_model(const std::filesystem::path& path);

/// True for the index of a TensorFlow checkpoint, which contains weights or a softmax.
bool is_checkpoint(const std::filesystem::path& file);

}  // namespace elmo

// Locates and reads the files of a model, in a folder or an archive.
#pragma once

#include <cstdint>
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
  std::filesystem::path encoder;
  std::filesystem::path token_embedder;
  std::optional<std::filesystem::path> config = std::nullopt;
  std::optional<std::filesystem::path> words = std::nullopt;
  std::optional<std::filesystem::path> characters = std::nullopt;
  /// The folder that names in the configuration are relative to; in an archive it ends in "/".
  std::string folder;
  std::vector<std::string> json;  ///< names of .json files, relative to `folder`
};

/// The files of a model; members of `archive` if it is set.
struct ModelLocation {
  std::filesystem::path options;
  std::filesystem::path weights;  ///< HDF5, or the index of a checkpoint of TensorFlow
  std::optional<std::filesystem::path> vocabulary = std::nullopt;  ///< word-level models only
  std::optional<std::filesystem::path> archive = std::nullopt;
  // Other files that training writes.
  std::optional<std::filesystem::path> softmax = std::nullopt;
  std::optional<std::filesystem::path> softmax_vocabulary = std::nullopt;
  bool softmax_lacks_words = false;  ///< there is one, but it cannot be read without its vocabulary
  std::optional<std::filesystem::path> tokenizer = std::nullopt;
  // Description that the distributor of the model adds.
  std::optional<std::filesystem::path> language = std::nullopt;
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

/// Returns the name of a model's file for messages.
std::string model_file_name(const ModelLocation& location, const std::filesystem::path& file);

/// Returns the content of a model's file. InputError if it is missing, not a regular file, or
/// larger than `max_bytes`; SystemError if it cannot be read.
std::string read_model_file(const ModelLocation& location, const std::filesystem::path& file,
                            std::uint64_t max_bytes);

/// A file of a model that can be opened by its path: the file itself, or a member of the archive
/// that stays unpacked as long as this object exists.
class LocalModelFile {
 public:
  /// `max_bytes` limits the size when unpacked. Errors as read_model_file and UnpackedMember.
  LocalModelFile(const ModelLocation& location, const std::filesystem::path& file,
                 std::uint64_t max_bytes);

  const std::filesystem::path& path() const { return path_; }

 private:
  std::optional<UnpackedMember> unpacked_;
  std::filesystem::path path_;
};

}  // namespace elmo

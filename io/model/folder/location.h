// Where the files of a model are.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace elmo {

/// The files of a model of ELMoForManyLangs; see many_langs/model.h.
struct ManyLangsFiles {
  std::filesystem::path encoder;
  std::filesystem::path token_embedder;
  std::optional<std::filesystem::path> config = std::nullopt;
  std::optional<std::filesystem::path> words = std::nullopt;
  std::optional<std::filesystem::path> characters = std::nullopt;
  /// Where names in the configuration are looked up; a folder in an archive ends in "/".
  std::string folder;
  std::vector<std::string> json;  ///< names of .json files, from `folder` on
};

/// The files that a model is made of; members of `archive` where there is one.
struct ModelLocation {
  std::filesystem::path options;
  std::filesystem::path weights;
  std::optional<std::filesystem::path> vocabulary = std::nullopt;  ///< word-level models only
  std::optional<std::filesystem::path> archive = std::nullopt;
  // What training leaves besides the two.
  std::optional<std::filesystem::path> softmax = std::nullopt;
  std::optional<std::filesystem::path> softmax_vocabulary = std::nullopt;
  std::optional<std::filesystem::path> tokenizer = std::nullopt;
  // What whoever hands a model on says of it.
  std::optional<std::filesystem::path> language = std::nullopt;
  /// Where it is a model of ELMoForManyLangs. `options` and `weights` are empty then.
  std::optional<ManyLangsFiles> many_langs = std::nullopt;
};

/// Finds the one model in a folder or a zip archive: options.json with weights.hdf5 or model.hdf5
/// beside it, and vocab.txt, softmax.hdf5, vocabulary.txt where they are there; all may begin with
/// a common NAME_, and in an archive lie in a folder. Or encoder.pkl with token_embedder.pkl beside
/// it, and config.json, word.dic and char.dic. With either, tokenizer.json and language.json.
/// InputError, listing what is there, where no model is found or more than one.
ModelLocation locate_model(const std::filesystem::path& path);

}  // namespace elmo

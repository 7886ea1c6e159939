// Replaces the model in a folder so that readers always find either model complete, even if the
// writer is interrupted.
//
// All files of the new model are first written under unfinished names. Then a journal appears,
// which lists them: from here on, the folder's model is the new one, under whatever names its files
// are. The files are renamed, files of the old model that the new one does not have are removed,
// and the journal is removed. The journal, .elmo.model.json, is a JSON object that maps names to
// unfinished names.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/files/atomic_file.h"

namespace elmo {

/// Names of files that belong together. The others are useless without the first.
using FileNames = std::span<const char* const>;

/// The file names of a model in a folder.
inline constexpr std::array<const char*, 7> kModelFiles{
    "options.json",   "weights.hdf5",   "vocab.txt",    "softmax.hdf5",
    "vocabulary.txt", "tokenizer.json", "language.json"};

/// Called after each step that changes the folder.
using ReplacementListener = std::function<void()>;

/// Publishes written files as the folder's model. `names` are all names that a model's files may
/// have. Errors: SystemError. Before the journal appears, an error keeps the old model and abandons
/// the new files; afterwards finish_replacement can complete the replacement.
void replace_model(const std::filesystem::path& folder, std::vector<AtomicFile> files,
                   const ReplacementListener& listener = nullptr, FileNames names = kModelFiles);

/// Completes an interrupted replace_model; if it did not reach the journal, removes the unfinished
/// files. SystemError; InputError for a damaged journal.
void finish_replacement(const std::filesystem::path& folder,
                        const ReplacementListener& listener = nullptr,
                        FileNames names = kModelFiles);

/// Returns the names of the model's files and the names they currently have if a replacement was
/// interrupted; otherwise nothing. Errors as finish_replacement. Changes nothing.
std::optional<std::map<std::string, std::string>> interrupted_replacement(
    const std::filesystem::path& folder, FileNames names = kModelFiles);

}  // namespace elmo

// How a model takes the place of another in a folder, so that a reader finds one of the two whole
// whenever the writer is interrupted.
//
// All files of the new model are written under unfinished names first. Then a journal appears,
// which names them: from here on the folder's model is the new one, wherever its files lie. They
// get their names, files of the old model that the new one does not have are removed, and the
// journal goes. The journal, .elmo.model.json, is a JSON object from names to the unfinished names.
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

/// The names of files that belong together. Without the first the rest is of no use.
using FileNames = std::span<const char* const>;

/// The names of a model's files in a folder.
inline constexpr std::array<const char*, 7> kModelFiles{
    "options.json",   "weights.hdf5",   "vocab.txt",    "softmax.hdf5",
    "vocabulary.txt", "tokenizer.json", "language.json"};

/// Called after each step that changes what the folder holds.
using ReplacementListener = std::function<void()>;

/// Makes files, which are written but not published, the model of their folder; `names` are those
/// that it may have. Errors:
/// SystemError; up to the journal's appearance the old model stays and the files are abandoned,
/// afterwards finish_replacement can continue.
void replace_model(const std::filesystem::path& folder, std::vector<AtomicFile> files,
                   const ReplacementListener& listener = nullptr, FileNames names = kModelFiles);

/// Does what an interrupted replace_model left to do; where it did not come to the journal, removes
/// the unfinished files. SystemError; InputError for a journal that is damaged.
void finish_replacement(const std::filesystem::path& folder,
                        const ReplacementListener& listener = nullptr,
                        FileNames names = kModelFiles);

/// The names of the model's files and those under which they lie, where a replacement was
/// interrupted; nothing where none was. Errors as finish_replacement. Changes nothing.
std::optional<std::map<std::string, std::string>> interrupted_replacement(
    const std::filesystem::path& folder, FileNames names = kModelFiles);

}  // namespace elmo

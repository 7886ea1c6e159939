#include "io/model/save.h"

#include <array>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/files/atomic_file.h"
#include "io/files/paths.h"
#include "io/model/options.h"
#include "io/model/tokenizer.h"
#include "io/model/vocabulary.h"
#include "io/model/weights.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

/// Returns the first of the files `names` in the folder, or in an interrupted replacement.
std::optional<fs::path> held_file(const fs::path& folder, FileNames names) {
  for (const char* name : names) {
    if (is_there(folder / name)) return folder / name;
  }
  const auto files = interrupted_replacement(folder);
  if (!files || files->empty()) return std::nullopt;
  return folder / files->begin()->second;
}

}  // namespace

bool holds_model(const fs::path& folder) {
  // Words and a language alone are not a model: users may put them there first.
  constexpr std::array kEssential{"options.json", "weights.hdf5", "softmax.hdf5"};
  return held_file(folder, kEssential).has_value();
}

void require_no_other_model(const fs::path& folder) {
  if (!is_folder(folder)) return;
  for (const std::string& name : names_in(folder)) {
    const bool other = name.ends_with("_options.json") || name == "model.hdf5" ||
                       name == "encoder.pkl" || name == "softmax_weights.hdf5";
    if (!other) continue;
    throw RequestError((folder / name).string() +
                       " is part of another model, which readers would confuse with the new one; "
                       "choose another folder");
  }
}

void remove_model(const fs::path& folder) {
  finish_replacement(folder);
  for (const char* name : kModelFiles) remove_path(folder / name);
}

void save_model(const fs::path& folder, const ModelOptions& options, const Parameters& parameters,
                const Vocabulary* vocabulary, const SaveOptions& save) {
  if (!save.overwrite) {
    if (const std::optional<fs::path> held = held_file(folder, kModelFiles)) {
      throw RequestError(held->string() + " is there already", Remedy{"replace_file"});
    }
  }
  make_folder(folder);
  finish_replacement(folder);

  std::vector<AtomicFile> files;
  const auto begin = [&](const char* name) -> AtomicFile& {
    return files.emplace_back(folder / name, Links::replaced);
  };
  write_weights(begin("weights.hdf5").temporary_path(), parameters, save.dtype);
  if (save.softmax != nullptr) {
    write_softmax(begin("softmax.hdf5").temporary_path(), *save.softmax, save.dtype);
    begin("vocabulary.txt").append(vocabulary_text(save.softmax->vocabulary));
  }
  if (save.tokenizer != nullptr) {
    begin("tokenizer.json").append(tokenizer_text(*save.tokenizer) + "\n");
  }
  if (save.language) begin(kLanguageFile).append(*save.language);
  if (vocabulary != nullptr) begin("vocab.txt").append(vocabulary_text(*vocabulary));
  begin("options.json").append(options_text(options) + "\n");
  replace_model(folder, std::move(files), save.listener);
}

}  // namespace elmo

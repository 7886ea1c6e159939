#include "io/model/replacement.h"

#include <algorithm>
#include <iterator>

#include "core/error.h"
#include "io/files/descriptor.h"
#include "io/files/paths.h"
#include "io/json/json_document.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

constexpr const char* kJournal = ".elmo.model.json";

bool is_among(const std::string& name, FileNames names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Parses the journal. InputError if it names anything but a model's files: it must not rename
/// other files.
std::map<std::string, std::string> parse(const std::string& text, const std::string& path,
                                         FileNames names) {
  const JsonDocument journal(text, path, "what saving a model leaves");
  std::map<std::string, std::string> files;
  for (const auto& [key, value] : journal.root().members()) {
    const std::string name(key);
    files[name] = value.text();
    if (!is_among(name, names) || finished_name(files[name]) != name ||
        files[name].find('/') != std::string::npos) {
      value.refuse("a file of the model");
    }
  }
  return files;
}

std::optional<std::map<std::string, std::string>> read_journal(const fs::path& folder,
                                                               FileNames names) {
  const fs::path path = folder / kJournal;
  const std::optional<std::string> text = read_file_if_there(path);
  if (!text) return std::nullopt;
  try {
    return parse(*text, path.string(), names);
  } catch (const InputError& error) {
    throw InputError(std::string(error.what()) + ". Remove it, and check the model");
  }
}

/// Removes the files of a writer that stopped before its journal.
void remove_unfinished(const fs::path& folder, FileNames names) {
  for (const std::string& name : names_in(folder)) {
    const std::optional<std::string> finished = finished_name(name);
    if (finished && (is_among(*finished, names) || finished == kJournal))
      remove_path(folder / name);
  }
}

}  // namespace

void replace_model(const fs::path& folder, std::vector<AtomicFile> files,
                   const ReplacementListener& listener, FileNames names) {
  Json unfinished = Json::object();
  for (AtomicFile& file : files) {
    file.sync();
    unfinished[file.path().filename().string()] = file.temporary_path().filename().string();
    if (listener) listener();
  }
  sync_folder(folder);
  AtomicFile journal(folder / kJournal);
  journal.append(unfinished.dump());
  journal.publish([&](FileStep step) {
    // The journal may be on the disk from now on, so the files must stay.
    if (step != FileStep::synced) {
      for (AtomicFile& file : files) file.keep();
    }
    if (listener) listener();
  });
  finish_replacement(folder, listener, names);
}

void finish_replacement(const fs::path& folder, const ReplacementListener& listener,
                        FileNames names) {
  const auto files = read_journal(folder, names);
  if (!files) return remove_unfinished(folder, names);
  const auto step = [&](const auto& action) {
    action();
    if (listener) listener();
  };
  const auto take_name = [&](const std::string& name) {
    const auto file = files->find(name);
    if (file == files->end()) {
      step([&] { remove_path(folder / name); });
    } else if (is_there(folder / file->second)) {
      step([&] { rename_path(folder / file->second, folder / name); });
    }
  };
  // Readers that do not know the journal then find no model, rather than parts of two.
  const std::string first = names.front();
  if (const auto file = files->find(first);
      file != files->end() && is_there(folder / file->second)) {
    step([&] { remove_path(folder / first); });
  }
  std::for_each(std::next(names.begin()), names.end(), take_name);
  take_name(first);
  sync_folder(folder);
  step([&] { remove_path(folder / kJournal); });
  sync_folder(folder);
}

std::optional<std::map<std::string, std::string>> interrupted_replacement(const fs::path& folder,
                                                                          FileNames names) {
  auto files = read_journal(folder, names);
  if (!files) return std::nullopt;
  std::map<std::string, std::string> present;
  for (const auto& [name, unfinished] : *files) {
    if (is_there(folder / unfinished)) {
      present[name] = unfinished;
    } else if (is_there(folder / name)) {
      present[name] = name;
    }
  }
  return present;
}

}  // namespace elmo

#include "io/text/input_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "core/error.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

std::vector<InputFile> list_folder(const std::string& folder) {
  std::vector<InputFile> files;
  for (auto entry = fs::recursive_directory_iterator(folder);
       entry != fs::recursive_directory_iterator(); ++entry) {
    if (entry->path().filename().native().starts_with('.')) {
      entry.disable_recursion_pending();
    } else if (std::error_code dangling; entry->is_regular_file(dangling)) {
      files.push_back({entry->path().native(), entry->file_size()});
    }
  }
  if (files.empty()) {
    throw InputError(folder + ": the folder holds no files; expected text files in it");
  }
  std::ranges::sort(files, {}, &InputFile::path);
  return files;
}

void append(const std::string& name, std::vector<InputFile>& files) {
  const fs::file_status status = fs::status(name);
  if (!fs::exists(status)) {
    throw InputError(name + ": no such file or folder; check the name");
  }
  if (fs::is_directory(status)) {
    std::ranges::move(list_folder(name), std::back_inserter(files));
  } else if (fs::is_regular_file(status)) {
    files.push_back({name, fs::file_size(name)});
  } else {
    files.push_back({name, std::nullopt});
  }
}

}  // namespace

std::vector<InputFile> list_input_files(const std::vector<std::string>& names) {
  if (names.empty()) return {{kStandardInput, std::nullopt}};
  if (std::ranges::count(names, kStandardInput) > 1) {
    throw RequestError("standard input (-) is named twice; it can be read only once");
  }
  std::vector<InputFile> files;
  for (const std::string& name : names) {
    if (name == kStandardInput) {
      files.push_back({name, std::nullopt});
      continue;
    }
    try {
      append(name, files);
    } catch (const fs::filesystem_error& error) {
      throw SystemError(name + ": cannot be read: " + error.code().message());
    }
  }
  return files;
}

}  // namespace elmo

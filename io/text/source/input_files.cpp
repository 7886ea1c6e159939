#include "io/text/source/input_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "core/error.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

/// What tells a file or a folder from all others, by whatever name.
using Identity = std::pair<dev_t, ino_t>;

/// That of what `name` leads to; nothing where that is no regular file and no folder.
std::optional<Identity> identity_of(const std::string& name) {
  struct stat status {};
  if (name.empty() || ::stat(name.c_str(), &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return std::nullopt;
  return Identity{status.st_dev, status.st_ino};
}

/// The files of one folder and of all folders in it, but for what is written.
class FolderWalk {
 public:
  FolderWalk(std::vector<std::string>* left_out, const std::optional<Identity>& written)
      : left_out_(left_out), written_(written) {
    if (written) seen_.insert(*written);
  }

  std::vector<InputFile> files_of(const std::string& folder) {
    folders_.push_back(folder);
    // Folders come before links to folders, so that what both lead to is found under its own name.
    while (!folders_.empty() || !links_.empty()) {
      if (folders_.empty()) folders_.push_back(links_.extract(links_.begin()).value());
      const std::string next = std::move(folders_.back());
      folders_.pop_back();
      if (is_new(next)) read(next);
    }
    std::ranges::sort(files_, {}, &InputFile::path);
    return std::move(files_);
  }

 private:
  bool is_new(const std::string& folder) {
    struct stat status {};
    if (::stat(folder.c_str(), &status) != 0) {
      throw fs::filesystem_error("", folder, std::error_code(errno, std::generic_category()));
    }
    return seen_.emplace(status.st_dev, status.st_ino).second;
  }

  void read(const std::string& folder) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      const std::string& path = entry.path().native();
      if (entry.path().filename().native().starts_with('.')) continue;
      std::error_code error;
      const fs::file_status status = entry.status(error);
      if (fs::is_directory(status)) {
        if (entry.is_symlink()) {
          links_.insert(path);
        } else {
          folders_.push_back(path);
        }
      } else if (fs::is_regular_file(status)) {
        if (!written_ || identity_of(path) != written_) {
          files_.push_back({path, entry.file_size()});
        }
      } else if (error == std::errc::permission_denied) {
        throw fs::filesystem_error("", path, error);
      } else if (left_out_ != nullptr) {
        left_out_->push_back(path);
      }
    }
  }

  std::vector<std::string>* left_out_;
  std::optional<Identity> written_;
  std::vector<InputFile> files_;
  std::vector<std::string> folders_;  // to be read
  std::set<std::string> links_;       // to folders, to be followed
  std::set<Identity> seen_;
};

std::vector<InputFile> list_folder(const std::string& folder, std::vector<std::string>* left_out,
                                   const std::optional<Identity>& written) {
  std::vector<InputFile> files = FolderWalk(left_out, written).files_of(folder);
  if (files.empty()) {
    throw InputError(folder + ": the folder holds no files; expected text files in it");
  }
  return files;
}

void append(const std::string& name, std::vector<InputFile>& files,
            std::vector<std::string>* left_out, const std::optional<Identity>& written) {
  const fs::file_status status = fs::status(name);
  if (!fs::exists(status)) {
    throw InputError(name + ": no such file or folder; check the name");
  }
  if (written && identity_of(name) == written) {
    throw RequestError(name + ": found as input and as output; choose another output");
  }
  if (fs::is_directory(status)) {
    std::ranges::move(list_folder(name, left_out, written), std::back_inserter(files));
  } else if (fs::is_regular_file(status)) {
    files.push_back({name, fs::file_size(name)});
  } else {
    files.push_back({name, std::nullopt});
  }
}

}  // namespace

std::vector<InputFile> list_input_files(const std::vector<std::string>& names,
                                        std::vector<std::string>* left_out,
                                        const std::string& written) {
  if (names.empty()) return {{kStandardInput, std::nullopt}};
  if (std::ranges::count(names, kStandardInput) > 1) {
    throw RequestError("standard input (-) is named twice; it can be read only once");
  }
  const std::optional<Identity> output = identity_of(written);
  std::vector<InputFile> files;
  for (const std::string& name : names) {
    if (name == kStandardInput) {
      files.push_back({name, std::nullopt});
      continue;
    }
    try {
      append(name, files, left_out, output);
    } catch (const fs::filesystem_error& error) {
      throw SystemError(name + ": cannot be read: " + error.code().message());
    }
  }
  if (left_out != nullptr) std::ranges::sort(*left_out);
  return files;
}

bool can_be_read_only_once(const std::string& name) {
  if (name == kStandardInput) return true;
  std::error_code error;
  const fs::file_status status = fs::status(name, error);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

}  // namespace elmo

#include "io/text/source/input_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "core/error.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kUnknownSize = std::numeric_limits<std::uint64_t>::max();

/// What identifies a file or folder, by whatever name.
using Identity = std::pair<dev_t, ino_t>;

/// That of what `name` leads to; nothing where that is no regular file and no folder.
std::optional<Identity> identity_of(const std::string& name) {
  struct stat status {};
  if (name.empty() || ::stat(name.c_str(), &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return std::nullopt;
  return Identity{status.st_dev, status.st_ino};
}

/// Lists the files of one folder and of all folders in it, except what is written.
class FolderWalk {
 public:
  FolderWalk(FileList& files, std::vector<std::string>* left_out,
             const std::optional<Identity>& written)
      : files_(files), left_out_(left_out), written_(written) {
    if (written) seen_.insert(*written);
  }

  void list(const std::string& folder) {
    const std::size_t first = files_.size();
    folders_.push_back(folder);
    // Folders come before links to folders, so that what both lead to is found under its own name.
    while (!folders_.empty() || !links_.empty()) {
      if (folders_.empty()) folders_.push_back(links_.extract(links_.begin()).value());
      const std::string next = std::move(folders_.back());
      folders_.pop_back();
      if (is_new(next)) read(next);
    }
    if (files_.size() == first && !output_.empty()) {
      throw RequestError(folder + ": its only file, " + output_ +
                         ", is also the output; choose another output");
    }
    if (files_.size() == first) {
      throw InputError(folder + ": the folder holds no files; expected text files in it");
    }
    files_.sort_from(first);
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
        if (written_ && identity_of(path) == written_) {
          output_ = path;
        } else {
          files_.add(path, entry.file_size());
        }
      } else if (error == std::errc::permission_denied) {
        throw fs::filesystem_error("", path, error);
      } else if (left_out_ != nullptr) {
        left_out_->push_back(path);
      }
    }
  }

  FileList& files_;
  std::vector<std::string>* left_out_;
  std::optional<Identity> written_;
  std::vector<std::string> folders_;  // to be read
  std::set<std::string> links_;       // to folders, to be followed
  std::string output_;                // where the folder holds what is written
  std::set<Identity> seen_;
};

void append(const std::string& name, FileList& files, std::vector<std::string>* left_out,
            const std::optional<Identity>& written) {
  const fs::file_status status = fs::status(name);
  if (!fs::exists(status)) {
    throw InputError(name + ": no such file or folder; check the name");
  }
  if (written && identity_of(name) == written) {
    throw RequestError(name + ": found as input and as output; choose another output");
  }
  if (fs::is_directory(status)) {
    FolderWalk(files, left_out, written).list(name);
  } else if (fs::is_regular_file(status)) {
    files.add(name, fs::file_size(name));
  } else {
    files.add(name, std::nullopt);
  }
}

}  // namespace

void FileList::add(std::string_view path, std::optional<std::uint64_t> size) {
  entries_.push_back({paths_.size(), size.value_or(kUnknownSize)});
  paths_ += path;
  paths_ += '\0';
}

void FileList::sort_from(std::size_t first) {
  const auto earlier = [this](const Entry& a, const Entry& b) {
    return std::strcmp(paths_.data() + a.path, paths_.data() + b.path) < 0;
  };
  std::sort(entries_.begin() + static_cast<std::ptrdiff_t>(first), entries_.end(), earlier);
}

void FileList::keep(std::size_t first, std::size_t last) {
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(last), entries_.end());
  entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(first));
}

std::optional<std::uint64_t> FileList::size_of(std::size_t number) const {
  const std::uint64_t size = entries_[number].size;
  return size == kUnknownSize ? std::nullopt : std::optional(size);
}

FileList list_input_files(const std::vector<std::string>& names, std::vector<std::string>* left_out,
                          const std::string& written) {
  FileList files;
  if (names.empty()) files.add(kStandardInput, std::nullopt);
  if (std::ranges::count(names, kStandardInput) > 1) {
    throw RequestError("standard input (-) is named twice; it can be read only once");
  }
  const std::optional<Identity> output = identity_of(written);
  for (const std::string& name : names) {
    if (name == kStandardInput) {
      files.add(name, std::nullopt);
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

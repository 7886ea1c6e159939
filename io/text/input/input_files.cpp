#include "io/text/input/input_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <set>
#include <span>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "io/files/atomic_file.h"
#include "io/files/checksum.h"
#include "io/files/descriptor.h"
#include "io/files/paths.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kUnknownSize = std::numeric_limits<std::uint64_t>::max();

/// Identifies a file or folder under any name.
using Identity = std::pair<dev_t, ino_t>;

[[noreturn]] void refuse_unreadable(const std::string& path, int error) {
  throw SystemError(path + ": cannot be read: " + std::generic_category().message(error));
}

/// Returns the status of the target of `path`; nothing if it is missing, as with a dangling link or
/// a link to itself.
std::optional<struct stat> status_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return status;
  if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP) return std::nullopt;
  refuse_unreadable(path, errno);
}

Identity identity_of(const struct stat& status) { return {status.st_dev, status.st_ino}; }

/// Returns the identities of the output `name`, if it is a file or folder, and of the file behind
/// standard output, if any.
std::set<Identity> identities_of_outputs(const std::string& name) {
  std::set<Identity> outputs;
  struct stat standard_output {};
  if (::fstat(STDOUT_FILENO, &standard_output) == 0 && S_ISREG(standard_output.st_mode)) {
    outputs.insert(identity_of(standard_output));
  }
  if (name.empty()) return outputs;
  const std::optional<struct stat> status = status_of(name);
  if (status && (S_ISREG(status->st_mode) || S_ISDIR(status->st_mode))) {
    outputs.insert(identity_of(*status));
  }
  return outputs;
}

/// Returns the path without links of a file that may be missing; empty if it cannot be found out.
fs::path path_without_links(const fs::path& path) {
  std::error_code error;
  fs::path found = fs::weakly_canonical(fs::absolute(path), error);
  return error ? fs::path() : found;
}

/// Lists the files of a folder and of all folders in it, except the outputs and what a killed run
/// left of the output `written`.
class FolderWalk {
 public:
  FolderWalk(FileList& files, LeftOut* left_out, const std::set<Identity>& outputs,
             const std::string& written)
      : files_(files), left_out_(left_out), outputs_(outputs), seen_(outputs) {
    if (!written.empty()) written_ = path_without_links(written);
  }

  void list(const std::string& folder) {
    const std::size_t first = files_.size();
    folders_.push_back(folder);
    // Folders come before links to folders, so that a folder is found under its own name first.
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
    const std::optional<struct stat> status = status_of(folder);
    if (!status) refuse_unreadable(folder, ENOENT);
    return seen_.insert(identity_of(*status)).second;
  }

  void read(const std::string& folder) {
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) add(*entry);
    if (error) refuse_unreadable(folder, error.value());
  }

  /// True for an unfinished file of the output.
  bool is_left_over(const fs::path& path) const {
    const std::optional<std::string> finished = finished_name(path.filename().native());
    return finished && !written_.empty() &&
           path_without_links(path.parent_path() / *finished) == written_;
  }

  void add(const fs::directory_entry& entry) {
    const std::string& path = entry.path().native();
    if (entry.path().filename().native().starts_with('.')) return;
    const std::optional<struct stat> status = status_of(path);
    if (status && S_ISDIR(status->st_mode)) {
      if (entry.is_symlink()) {
        links_.insert(path);
      } else {
        folders_.push_back(path);
      }
    } else if (status && S_ISREG(status->st_mode)) {
      if (outputs_.contains(identity_of(*status)) || is_left_over(entry.path())) {
        output_ = path;
      } else {
        files_.add(path, static_cast<std::uint64_t>(status->st_size));
      }
    } else if (left_out_ != nullptr) {
      if (left_out_->count++ == 0 || path < left_out_->first) left_out_->first = path;
    }
  }

  FileList& files_;
  LeftOut* left_out_;
  const std::set<Identity>& outputs_;
  fs::path written_;                  // without links; empty: no output
  std::vector<std::string> folders_;  // folders to read
  std::set<std::string> links_;       // links to folders, to follow
  std::string output_;                // path of the output inside the folder
  std::set<Identity> seen_;           // folders already read
};

void append(const std::string& name, FileList& files, LeftOut* left_out,
            const std::set<Identity>& outputs, const std::string& written) {
  const std::optional<struct stat> status = status_of(name);
  if (!status) {
    const int error = errno;
    throw InputError(
        name + ": " +
        (error == ENOENT ? "no such file or folder" : std::generic_category().message(error)) +
        "; check the name");
  }
  if (outputs.contains(identity_of(*status))) {
    throw RequestError(name + ": found as input and as output; choose another output");
  }
  if (S_ISDIR(status->st_mode)) {
    FolderWalk(files, left_out, outputs, written).list(name);
  } else if (S_ISREG(status->st_mode)) {
    files.add(name, static_cast<std::uint64_t>(status->st_size));
  } else {
    files.add(name, std::nullopt);
  }
}

constexpr std::uint64_t kStretches = 1024;
constexpr std::uint64_t kSampledBytes = 4096;  // bytes per stretch

}  // namespace

void FileList::add(std::string_view path, std::optional<std::uint64_t> size) {
  if (blocks_.empty() || blocks_.back().size() + path.size() >= kBlockBytes) {
    blocks_.emplace_back().reserve(std::max(kBlockBytes, path.size() + 1));
  }
  std::string& block = blocks_.back();
  entries_.push_back(
      {(blocks_.size() - 1) * kBlockBytes + block.size(), size.value_or(kUnknownSize)});
  block += path;
  block += '\0';
}

void FileList::sort_from(std::size_t first) {
  const auto earlier = [this](const Entry& a, const Entry& b) {
    return std::strcmp(path_of(a), path_of(b)) < 0;
  };
  std::sort(entries_.begin() + static_cast<std::ptrdiff_t>(first), entries_.end(), earlier);
}

std::optional<std::uint64_t> FileList::size_of(std::size_t number) const {
  const std::uint64_t size = entries_[number].size;
  return size == kUnknownSize ? std::nullopt : std::optional(size);
}

FileList list_input_files(const std::vector<std::string>& names, LeftOut* left_out,
                          const std::string& written) {
  FileList files;
  if (std::ranges::count(names, kStandardInput) > 1) {
    throw RequestError("standard input (-) is named twice; it can be read only once");
  }
  const std::set<Identity> outputs = identities_of_outputs(written);
  const auto append_standard_input = [&] {
    struct stat status {};
    if (::fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode) &&
        outputs.contains(identity_of(status))) {
      throw RequestError("standard input: found as input and as output; choose another output");
    }
    files.add(kStandardInput, std::nullopt);
  };
  if (names.empty()) append_standard_input();
  for (const std::string& name : names) {
    if (name == kStandardInput) {
      append_standard_input();
    } else {
      append(name, files, left_out, outputs, written);
    }
  }
  return files;
}

bool can_be_read_only_once(const std::string& name) {
  if (name == kStandardInput) return true;
  return is_there(name) && !is_file(name) && !is_folder(name);
}

std::string input_sample(const FileList& files) {
  std::uint64_t total = 0;
  for (const InputFile& file : files) total += file.size.value_or(0);
  // Returns the first byte of a stretch, without overflow.
  const auto first_of = [total](std::uint64_t stretch) {
    return stretch * (total / kStretches) + stretch * (total % kStretches) / kStretches;
  };
  Checksum sample;
  std::uint64_t stretch = 0;
  std::uint64_t end = 0;
  std::array<std::byte, kSampledBytes> block{};
  for (const InputFile& file : files) {
    const std::uint64_t begin = end;
    end += file.size.value_or(0);
    Descriptor opened;
    while (stretch < kStretches && first_of(stretch) < end) {
      const std::uint64_t stop = std::min(first_of(stretch) + kSampledBytes, first_of(stretch + 1));
      const std::uint64_t from = std::max(first_of(stretch), begin);
      if (from < std::min(stop, end)) {
        if (!opened) opened = open_regular_file(file.path, "read");
        const auto bytes = std::span(block).first(std::min(stop, end) - from);
        sample.add(bytes.first(read_at(opened, bytes, from - begin, file.path)));
      }
      if (stop > end) break;  // the stretch continues in the next file
      ++stretch;
    }
  }
  return sample.hex();
}

}  // namespace elmo

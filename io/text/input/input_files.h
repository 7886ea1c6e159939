// Lists the files of an input, and samples their content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/bytes/file_bytes.h"

namespace elmo {

/// A file to read.
struct InputFile {
  std::string path;  ///< the given path, or the given folder and the path inside it
  std::optional<std::uint64_t> size;  ///< stored size in bytes; unknown for pipes
};

/// A list of files in reading order; takes a path and 17 bytes per file. Growing does not double
/// the memory.
class FileList {
 public:
  class Iterator {
   public:
    Iterator(const FileList& list, std::size_t number) : list_(&list), number_(number) {}
    InputFile operator*() const { return (*list_)[number_]; }
    Iterator& operator++() {
      ++number_;
      return *this;
    }
    bool operator==(const Iterator&) const = default;

   private:
    const FileList* list_;
    std::size_t number_;
  };

  /// `path` must not contain NUL.
  void add(std::string_view path, std::optional<std::uint64_t> size);
  /// Sorts the files from index `first` on by the bytes of their paths.
  void sort_from(std::size_t first);

  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  InputFile operator[](std::size_t number) const { return {path(number), size_of(number)}; }
  InputFile front() const { return (*this)[0]; }
  const char* path(std::size_t number) const { return path_of(entries_[number]); }
  std::optional<std::uint64_t> size_of(std::size_t number) const;
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

 private:
  static constexpr std::size_t kBlockBytes = std::size_t{64} << 10;

  struct Entry {
    std::uint64_t path;  // where it begins: block * kBlockBytes + offset in the block
    std::uint64_t size;
  };
  const char* path_of(const Entry& entry) const {
    return blocks_[entry.path / kBlockBytes].data() + entry.path % kBlockBytes;
  }

  std::vector<std::string> blocks_;  // paths, each ended by a NUL
  std::deque<Entry> entries_;
};

/// Entries of folders that are neither files nor folders.
struct LeftOut {
  std::uint64_t count = 0;
  std::string first;  ///< the first in byte order of the paths
};

/// Resolves names in the given order. A file is itself, "-" is standard input, and a folder is
/// every regular file in it at any depth, in the byte order of their paths. In folders, names that
/// begin with a full stop are skipped. A link to a file counts as that file. A link to a folder is
/// followed, but no folder is read twice: links that lead back, or to something that is in the
/// folder anyway, add nothing. Entries of folders that are neither files nor folders (dangling
/// links, FIFOs, sockets, devices) are skipped and added to `left_out`, if given. `written`, the
/// file or folder of the output, is skipped silently, so that it makes no difference whether it
/// exists; empty: no output. So are its unfinished file in a folder, which a killed run left, and
/// the file that standard output goes to. An empty list of names means standard input. InputError
/// for missing files and for folders without files; SystemError naming a file, folder or entry of a
/// folder that cannot be read or examined; RequestError if standard input is named twice or a name
/// is that of an output.
FileList list_input_files(const std::vector<std::string>& names, LeftOut* left_out = nullptr,
                          const std::string& written = {});

/// True if reading the input consumes it: standard input, pipes, FIFOs, terminals and similar, also
/// under names such as /dev/fd/3. False for files, folders and missing names.
bool can_be_read_only_once(const std::string& name);

/// Returns a hash of the files' stored content: of all bytes up to 4 MiB; of larger inputs, the
/// first 4 KiB of each of 1,024 equal stretches. Files of unknown size count as empty. SystemError
/// if a file cannot be read.
std::string input_sample(const FileList& files);

}  // namespace elmo

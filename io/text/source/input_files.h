// Which files an input stands for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/bytes/stored_bytes.h"

namespace elmo {

struct InputFile {
  std::string path;                   ///< as given, or the folder as given with the path inside it
  std::optional<std::uint64_t> size;  ///< as stored, in bytes; not known for pipes
};

/// Files in the order in which they are read: a path and 17 bytes each. Memory does not double
/// where the list grows.
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

  /// `path` holds no NUL.
  void add(std::string_view path, std::optional<std::uint64_t> size);
  /// Sorts the files from number `first` on by the bytes of their paths.
  void sort_from(std::size_t first);
  /// Drops all files but those from number `first` to before number `last`.
  void keep(std::size_t first, std::size_t last);

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
    std::uint64_t path;  // where it begins: block * kBlockBytes + byte in it
    std::uint64_t size;
  };
  const char* path_of(const Entry& entry) const {
    return blocks_[entry.path / kBlockBytes].data() + entry.path % kBlockBytes;
  }

  std::vector<std::string> blocks_;  // of paths, each ended by a NUL
  std::deque<Entry> entries_;
};

/// What folders hold that is neither a file nor a folder.
struct LeftOut {
  std::uint64_t count = 0;
  std::string first;  ///< by the bytes of their paths
};

/// Resolves names in the order given: a file is itself, "-" is standard input, a folder is every
/// regular file in it at any depth, in the byte order of their paths. In a folder, names that begin
/// with a full stop are left out. A link to a file counts as that file. A link to a folder is
/// followed, but no folder is read twice: links that lead back, and links to what stands in the
/// folder anyway, add nothing. What is neither file nor folder (dangling links, FIFOs, sockets,
/// devices) is left out of folders and added to `left_out` where that is given. So is
/// `written`, the file or folder that the output goes to, but silently: whether it is there already
/// makes no difference. Empty: there is none. No names at all mean standard input. InputError for
/// what is missing and for a folder without files; SystemError naming what cannot be read or looked
/// at, the entry of a folder, too; RequestError for standard input named twice, and where a name is
/// that of `written`.
FileList list_input_files(const std::vector<std::string>& names, LeftOut* left_out = nullptr,
                          const std::string& written = {});

/// Whether reading the input takes it away: standard input and pipes, FIFOs, terminals and the
/// like, also behind names such as /dev/fd/3. Not so of files and folders, nor of what is missing.
bool can_be_read_only_once(const std::string& name);

}  // namespace elmo

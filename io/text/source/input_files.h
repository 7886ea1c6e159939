// Which files an input stands for.
#pragma once

#include <cstddef>
#include <cstdint>
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

/// Files in the order in which they are read: a path and 17 bytes each.
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
  const char* path(std::size_t number) const { return paths_.data() + entries_[number].path; }
  std::optional<std::uint64_t> size_of(std::size_t number) const;
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

 private:
  struct Entry {
    std::uint64_t path;  // where it begins in paths_
    std::uint64_t size;
  };
  std::string paths_;  // each ended by a NUL
  std::vector<Entry> entries_;
};

/// Resolves names in the order given: a file is itself, "-" is standard input, a folder is every
/// regular file in it at any depth, in the byte order of their paths. In a folder, names that begin
/// with a full stop are left out. A link to a file counts as that file. A link to a folder is
/// followed, but no folder is read twice: links that lead back, and links to what stands in the
/// folder anyway, add nothing. What is neither file nor folder (dangling links, FIFOs, sockets,
/// devices) is left out of folders; its paths are added to `left_out` where that is given. So is
/// `written`, the file or folder that the output goes to, but silently: whether it is there already
/// makes no difference. Empty: there is none. No names at all mean standard input. InputError for
/// what is missing and for a folder without files, SystemError for what must not be read,
/// RequestError for standard input named twice, and where a name is that of `written`.
FileList list_input_files(const std::vector<std::string>& names,
                          std::vector<std::string>* left_out = nullptr,
                          const std::string& written = {});

/// Whether reading the input takes it away: standard input and pipes, FIFOs, terminals and the
/// like, also behind names such as /dev/fd/3. Not so of files and folders, nor of what is missing.
bool can_be_read_only_once(const std::string& name);

}  // namespace elmo

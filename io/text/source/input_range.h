// What is read of files that stand one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "io/text/bytes/stored_bytes.h"
#include "io/text/source/input_files.h"

namespace elmo {

/// All bytes of the files except those before the first byte and behind the last one.
class InputRange {
 public:
  /// All of `files`.
  explicit InputRange(FileList files) : files_(std::move(files)) {}
  /// From byte `begin` of the first file on; to before byte `end` of the last one, if given.
  InputRange(FileList files, std::uint64_t begin, std::optional<std::uint64_t> end)
      : files_(std::move(files)), begin_(begin), end_(end) {}

  std::size_t size() const { return files_.size(); }  ///< in files
  FileStretch stretch(std::size_t file) const;
  /// Stored bytes that are read of a file and of all files; not known of pipes.
  std::optional<std::uint64_t> bytes(std::size_t file) const;
  std::optional<std::uint64_t> total_bytes() const;

  bool begins_inside() const { return begin_ > 0; }
  bool ends_inside() const { return end_.has_value(); }

  /// XXH3-128 of the 4 MiB of stored bytes before byte `offset` of a file, of fewer where there are
  /// fewer. Any thread. InputError where there is no such byte; other errors as reading.
  std::string hash_before(std::size_t file, std::uint64_t offset) const;

 private:
  FileList files_;
  std::uint64_t begin_ = 0;
  std::optional<std::uint64_t> end_;
};

}  // namespace elmo

// A range of the bytes of consecutive files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "io/text/bytes/stored_bytes.h"
#include "io/text/source/input_files.h"

namespace elmo {

/// All bytes of the files, except those before the first and after the last byte of the range.
class InputRange {
 public:
  /// All of `files`.
  explicit InputRange(FileList files) : files_(std::move(files)) {}
  /// From byte `begin` of the first file to byte `end` of the last one, exclusive, if given.
  InputRange(FileList files, std::uint64_t begin, std::optional<std::uint64_t> end)
      : files_(std::move(files)), begin_(begin), end_(end) {}

  std::size_t size() const { return files_.size(); }  ///< number of files
  FileStretch stretch(std::size_t file) const;
  /// Stored bytes to read of one file and of all files; unknown for pipes.
  std::optional<std::uint64_t> bytes(std::size_t file) const;
  std::optional<std::uint64_t> total_bytes() const;

  bool begins_inside() const { return begin_ > 0; }
  bool ends_inside() const { return end_.has_value(); }

  /// XXH3-128 of the 4 MiB of stored bytes before byte `offset` of a file, or of all of them if
  /// there are fewer. Any thread. InputError if there is no such byte; other errors as for reading.
  std::string hash_before(std::size_t file, std::uint64_t offset) const;

 private:
  FileList files_;
  std::uint64_t begin_ = 0;
  std::optional<std::uint64_t> end_;
};

}  // namespace elmo

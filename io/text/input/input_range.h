// A range of the bytes of consecutive files: all of them, or a part that is read separately.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "io/text/bytes/file_bytes.h"
#include "io/text/formats/format_reader.h"
#include "io/text/input/input_files.h"
#include "io/text/input/input_options.h"

namespace elmo {

/// Counts of a part, for merging parts. Numbers in a part are relative to it: its first sentence
/// and its first document are 0, and its first line is 1, even if it begins inside a file.
struct PartCounts {
  std::uint64_t files = 0;                 ///< files that it reads from
  std::uint64_t documents = 0;             ///< documents that it begins or continues
  bool begins_inside = false;              ///< it continues a file that an earlier part began
  bool continues_document = false;         ///< the continued file is one document
  std::uint64_t first_file_documents = 0;  ///< documents of that file in this part
  bool ends_inside = false;                ///< it ends inside a file
  std::uint64_t lines = 0;                 ///< line feeds of that file in this part
  bool operator==(const PartCounts&) const = default;
};

/// All bytes of consecutive files of an input, except those before the first and after the last
/// byte of the range.
class InputRange {
 public:
  /// All bytes of all files.
  explicit InputRange(FileList files) : files_(std::move(files)), size_(files_.size()) {}
  /// `size` files from number `first` on, from byte `begin` of the first one to byte `end` of the
  /// last one, exclusive, if given.
  InputRange(FileList files, std::size_t first, std::size_t size, std::uint64_t begin,
             std::optional<std::uint64_t> end)
      : files_(std::move(files)), first_(first), size_(size), begin_(begin), end_(end) {}

  /// All files of the input, also those outside the range.
  const FileList& files() const { return files_; }

  // Files of the range are numbered from 0.
  std::size_t size() const { return size_; }
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
  std::size_t first_ = 0;
  std::size_t size_;
  std::uint64_t begin_ = 0;
  std::optional<std::uint64_t> end_{};
};

/// Returns the range of options.part. Let T be the number of stored bytes in all files, one after
/// the other. Part K of N has the units whose first byte is in [K*T/N, (K+1)*T/N), rounded down.
/// Units are lines; in free text, paragraphs that begin with a line that cannot continue another;
/// in FASTA, records; whole files if they are compressed, CoNLL-U or vertical, and with
/// options.whole_documents in all formats without records. An empty file counts as if it had the
/// next byte. Each byte belongs to exactly one part, and the readers of all parts together return
/// what one reader does. Reads no more than is needed to find both ends. RequestError for standard
/// input and pipes; ReadingStopped if `stop`, which may be null, became true; other errors as
/// open_source.
InputRange range_of_part(FileList files, const InputOptions& options,
                         const std::atomic<bool>* stop = nullptr);

}  // namespace elmo

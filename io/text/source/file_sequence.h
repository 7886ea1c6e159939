// The sentences of a sequence of files.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "io/text/bytes/byte_source.h"
#include "io/text/formats/reading_context.h"
#include "io/text/source/file_reader.h"
#include "io/text/source/input_part.h"
#include "io/text/source/input_range.h"
#include "io/text/source/text_position.h"

namespace elmo {

/// Reads all files of a range in order. One thread at a time.
class FileSequence {
 public:
  /// `bytes`, if given, are those of the only file; otherwise the files are opened. The other
  /// arguments must outlive this object.
  FileSequence(const InputRange& range, std::unique_ptr<ByteSource> bytes, ReadingContext& context,
               const Waiting& waiting);

  /// Starts at `position`, which must be in the range. Call it before reading.
  void begin_at(const TextPosition& position);

  /// Reads the next sentence and, if it has one, its position; returns false at the end. May be
  /// called again after WouldWait and then continues where it stopped. Errors as for reading;
  /// ReadingStopped before it opens another file.
  bool next(Sentence& sentence, std::optional<TextPosition>& position);

  /// Returns the beginning of the first file, at least `size` bytes unless the file has fewer. Call
  /// it before reading. May throw WouldWait.
  std::string_view peek(std::size_t size);

  /// Number of bytes read, as stored; any thread.
  std::uint64_t stored_bytes_read() const { return stored_bytes_read_; }
  /// Counts of the part that the range is, once it has been read to its end.
  PartCounts part_counts() const;

 private:
  bool open_next();
  void close();
  std::optional<TextPosition> position_of(const Sentence& sentence);

  const InputRange& range_;
  std::unique_ptr<ByteSource> bytes_;
  ReadingContext& context_;
  const Waiting& waiting_;
  bool has_positions_;  // sizes of all files are known
  std::atomic<std::uint64_t> stored_bytes_read_ = 0;

  std::size_t next_file_ = 0;
  std::optional<UnitBegin> begin_;  // in the next file; nothing: its first byte
  std::optional<FileReader> file_;

  // Totals of the files before.
  std::uint64_t bytes_before_ = 0;         // decompressed
  std::uint64_t stored_bytes_before_ = 0;  // of the range
  std::uint64_t first_file_documents_ = 0;
  std::uint64_t line_feeds_ = 0;  // of the last file

  std::optional<std::uint64_t> last_position_;  // its offset in the stored bytes of the range
};

}  // namespace elmo

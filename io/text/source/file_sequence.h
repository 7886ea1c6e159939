// The sentences of one file after the other.
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

/// Reads all files of a range. One thread at a time.
class FileSequence {
 public:
  /// `bytes`, if given, are those of the only file, which else is opened. The others outlive this.
  FileSequence(const InputRange& range, std::unique_ptr<ByteSource> bytes, ReadingContext& context,
               const Waiting& waiting);

  /// Goes on there, before anything is read; `position` is in the range.
  void begin_at(const TextPosition& position);

  /// Reads the next sentence, and its position where it has one; false at the end. May be called
  /// again after WouldWait and then continues where it was. Errors as reading; ReadingStopped
  /// before another file is opened.
  bool next(Sentence& sentence, std::optional<TextPosition>& position);

  /// What the first file begins with, at least `size` bytes where it has as many. Before anything
  /// is read. May throw WouldWait.
  std::string_view peek(std::size_t size);

  /// Of the files as they are stored; any thread.
  std::uint64_t stored_bytes_read() const { return stored_bytes_read_; }
  /// What the part holds that the range is, once it has been read to its end.
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
  std::optional<UnitBegin> begin_;  // in the next file, where that is not its first byte
  std::optional<FileReader> file_;

  // Of the files before.
  std::uint64_t bytes_before_ = 0;         // decompressed
  std::uint64_t stored_bytes_before_ = 0;  // of the range
  std::uint64_t first_file_documents_ = 0;
  std::uint64_t line_feeds_ = 0;  // of the last one

  std::optional<std::uint64_t> last_position_;  // stored bytes of the range before it
};

}  // namespace elmo

// Reads a file line by line; each line is held in memory as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/text/bytes/byte_window.h"

namespace elmo {

/// Maximum size of a record, or of a CoNLL-U sentence; anything longer is malformed.
inline constexpr std::size_t kMaxRecordBytes = std::size_t{64} << 20;

/// Reads line by line. A line longer than kMaxRecordBytes is skipped and not stored.
class RecordLines {
 public:
  /// `window` must outlive this object and begins with line number `line`.
  explicit RecordLines(ByteWindow& window, std::uint64_t line = 1)
      : window_(window), number_(line - 1) {}

  /// Advances to the next line; returns false at the end. After WouldWait, line() is empty until
  /// the next call.
  bool next();

  /// The line without its line end (LF, CR LF, or the end of the file); empty if too_long(). Valid
  /// until next().
  std::string_view line() const { return window_.view().substr(0, size_); }
  bool too_long() const { return too_long_; }

  std::uint64_t number() const { return number_; }           ///< 1-based
  std::uint64_t offset() const { return window_.offset(); }  ///< of the line in the file, in bytes

 private:
  ByteWindow& window_;
  std::size_t size_ = 0;
  std::size_t size_with_end_ = 0;
  std::uint64_t number_;
  bool too_long_ = false;
  bool passing_over_ = false;  // inside a line that is too long
};

}  // namespace elmo

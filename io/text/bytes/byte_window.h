// A sliding view of a stream of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "io/text/bytes/byte_source.h"

namespace elmo {

/// The part of a stream that has been read but not consumed. Holds at most about twice the
/// requested number of bytes. One thread at a time.
class ByteWindow {
 public:
  /// A window over a stream whose first byte has the offset `begin`, for a stream that is a part of
  /// a file.
  explicit ByteWindow(std::unique_ptr<ByteSource> source, std::uint64_t begin = 0)
      : source_(std::move(source)), begin_(begin), offset_(begin) {}
  /// A window over a text, which must outlive it and is not copied.
  explicit ByteWindow(std::string_view whole) : view_(whole) {}

  ByteWindow(const ByteWindow&) = delete;
  ByteWindow& operator=(const ByteWindow&) = delete;

  /// The bytes that were read but not consumed. Valid until the next call of fill, find or consume.
  std::string_view view() const { return view_; }

  /// Offset of the first byte of view().
  std::uint64_t offset() const { return offset_; }

  /// Bytes read from the stream so far.
  std::uint64_t bytes_read() const { return offset_ - begin_ + view_.size(); }

  /// Reads until view() has at least `size` bytes or the stream has ended. Returns true if view()
  /// has that many. After an exception, view() still has what was read before.
  bool fill(std::size_t size);

  /// Returns the position in view() of the first `byte` at or after `from`. If there is none,
  /// returns `limit` or the end of the stream, whichever comes first. Reads as far as needed.
  std::size_t find(char byte, std::size_t from, std::size_t limit);

  /// Drops the first `size` bytes of view().
  void consume(std::size_t size) {
    view_.remove_prefix(size);
    offset_ += size;
  }

 private:
  void make_room(std::size_t size);

  std::unique_ptr<ByteSource> source_;  // null once the stream has ended
  std::vector<char> buffer_;
  std::string_view view_;
  std::uint64_t begin_ = 0;
  std::uint64_t offset_ = 0;
};

}  // namespace elmo

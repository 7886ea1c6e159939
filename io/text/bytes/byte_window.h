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

/// The part of a stream that was read and not yet consumed. Holds about twice as many bytes as were
/// asked for at most. One thread at a time.
class ByteWindow {
 public:
  /// A window over a stream, whose first byte is number `begin` of what it is a stretch of.
  explicit ByteWindow(std::unique_ptr<ByteSource> source, std::uint64_t begin = 0)
      : source_(std::move(source)), begin_(begin), offset_(begin) {}
  /// A window over a text that outlives it and is not copied.
  explicit ByteWindow(std::string_view whole) : view_(whole) {}

  ByteWindow(const ByteWindow&) = delete;
  ByteWindow& operator=(const ByteWindow&) = delete;

  /// What was read and not consumed. Valid until the next call of fill, find or consume.
  std::string_view view() const { return view_; }

  /// Where view() begins, in bytes.
  std::uint64_t offset() const { return offset_; }

  /// Bytes read from the stream so far.
  std::uint64_t bytes_read() const { return offset_ - begin_ + view_.size(); }

  /// Reads until view() has at least `size` bytes or the stream has ended; true if it has them.
  /// After an exception view() has what was read before.
  bool fill(std::size_t size);

  /// The position in view() of the first `byte` at or after `from`; where there is none before
  /// `limit` or the end of the stream, the nearer of these two. Reads as far as that takes.
  std::size_t find(char byte, std::size_t from, std::size_t limit);

  /// Drops the first `size` bytes of view().
  void consume(std::size_t size) {
    view_.remove_prefix(size);
    offset_ += size;
  }

 private:
  void make_room(std::size_t size);

  std::unique_ptr<ByteSource> source_;  // null once it has ended
  std::vector<char> buffer_;
  std::string_view view_;
  std::uint64_t begin_ = 0;
  std::uint64_t offset_ = 0;
};

}  // namespace elmo

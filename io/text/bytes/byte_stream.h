// Streams of bytes, and the windows and lines through which they are read.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace elmo {

/// State of reading that the streams of one input share with other threads.
struct ReadState {
  const std::atomic<bool>* stop = nullptr;  ///< once true, waiting throws ReadingStopped
  std::atomic<bool> stopped = false;        ///< same effect as `*stop`
  std::atomic<std::uint64_t> bytes = 0;     ///< number of bytes read, as stored

  bool is_stopped() const { return stopped || (stop != nullptr && *stop); }
};

/// A stream of bytes, read once from start to end. One thread at a time.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// Reads at least one and at most `size` bytes into `data` and returns their number; 0 at the
  /// end. InputError for a damaged archive, SystemError for a failed read. Once a stop is
  /// requested, throws ReadingStopped instead of waiting for a pipe.
  virtual std::size_t read(char* data, std::size_t size) = 0;

  /// True if read() may have to wait for a pipe.
  virtual bool would_wait() const { return false; }
};

/// Wraps the source of a file's bytes; empty: no wrapper.
using BytesThrough = std::function<std::unique_ptr<ByteSource>(std::unique_ptr<ByteSource>)>;

/// The bytes of a text, which must outlive the stream.
class MemoryBytes : public ByteSource {
 public:
  explicit MemoryBytes(std::string_view bytes) : rest_(bytes) {}

  std::size_t read(char* data, std::size_t size) override {
    const std::size_t count = std::min(size, rest_.size());
    std::memcpy(data, rest_.data(), count);
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
};

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

  /// The same, but ends before a read that may have to wait.
  void fill_without_waiting(std::size_t size);

  /// Returns the position in view() of the first `byte` at or after `from`. If none comes,
  /// returns `limit` or the end of the stream, whichever comes first. Reads as far as needed.
  std::size_t find(char byte, std::size_t from, std::size_t limit);

  /// Drops the first `size` bytes of view().
  void consume(std::size_t size) {
    view_.remove_prefix(size);
    offset_ += size;
  }

 private:
  void make_room(std::size_t size);
  void read_more(std::size_t size);

  std::unique_ptr<ByteSource> source_;  // null once the stream has ended
  std::vector<char> buffer_;
  std::string_view view_;
  std::uint64_t begin_ = 0;
  std::uint64_t offset_ = 0;
};

/// Maximum size of a record, or of a CoNLL-U sentence; anything longer is malformed.
inline constexpr std::size_t kMaxRecordBytes = std::size_t{64} << 20;

/// Reads line by line. A line longer than kMaxRecordBytes is skipped and not stored.
class RecordLines {
 public:
  /// `window` must outlive this object and begins with line number `line`.
  explicit RecordLines(ByteWindow& window, std::uint64_t line = 1)
      : window_(window), number_(line - 1) {}

  /// Advances to the next line; returns false at the end.
  bool next();

  /// The line without its line end (LF, CR LF, or the end of the file); empty if too_long(). Valid
  /// until next().
  std::string_view line() const { return window_.view().substr(0, size_); }
  bool too_long() const { return too_long_; }

  std::uint64_t number() const { return number_; }  ///< 1-based
  /// Position of the line in the file, in bytes.
  std::uint64_t offset() const { return window_.offset(); }

 private:
  ByteWindow& window_;
  std::size_t size_ = 0;
  std::size_t size_with_end_ = 0;
  std::uint64_t number_;
  bool too_long_ = false;
};

}  // namespace elmo

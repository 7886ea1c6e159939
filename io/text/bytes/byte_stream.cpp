#include "io/text/bytes/byte_stream.h"

namespace elmo {
namespace {

constexpr std::size_t kReadBytes = std::size_t{256} << 10;
constexpr std::size_t kMinRead = std::size_t{64} << 10;  // a typical read from a pipe

}  // namespace

/// Makes room after view() for reading up to `size` bytes. The number of bytes moved is
/// proportional to the number of bytes read, so growing views take linear time.
void ByteWindow::make_room(std::size_t size) {
  const auto begin =
      view_.empty() ? std::size_t{0} : static_cast<std::size_t>(view_.data() - buffer_.data());
  if (begin + view_.size() + kMinRead <= buffer_.size()) {
    view_ = std::string_view(buffer_.data() + begin, view_.size());
    return;
  }
  if (!view_.empty()) std::memmove(buffer_.data(), view_.data(), view_.size());
  if (buffer_.size() < size + kReadBytes) buffer_.resize(std::max(2 * size, size + kReadBytes));
  view_ = std::string_view(buffer_.data(), view_.size());
}

void ByteWindow::read_more(std::size_t size) {
  make_room(size);
  const auto begin = static_cast<std::size_t>(view_.data() - buffer_.data());
  const std::size_t end = begin + view_.size();
  const std::size_t count = source_->read(buffer_.data() + end, buffer_.size() - end);
  if (count == 0) source_.reset();
  view_ = std::string_view(buffer_.data() + begin, view_.size() + count);
}

bool ByteWindow::fill(std::size_t size) {
  while (view_.size() < size && source_) read_more(size);
  return view_.size() >= size;
}

void ByteWindow::fill_without_waiting(std::size_t size) {
  while (view_.size() < size && source_ && !source_->would_wait()) read_more(size);
}

std::size_t ByteWindow::find(char byte, std::size_t from, std::size_t limit) {
  for (;;) {
    const std::size_t end = std::min(limit, view_.size());
    if (from < end) {
      const std::size_t found = view_.substr(0, end).find(byte, from);
      if (found != std::string_view::npos) return found;
    }
    if (end == limit || !fill(view_.size() + 1)) return end;
    from = std::max(from, end);
  }
}

bool RecordLines::next() {
  window_.consume(size_with_end_);
  size_ = size_with_end_ = 0;
  if (!window_.fill(1)) return false;
  std::size_t end = window_.find('\n', 0, kMaxRecordBytes + 1);
  too_long_ = end > kMaxRecordBytes;
  while (end > kMaxRecordBytes) {
    window_.consume(end);
    end = window_.find('\n', 0, kMaxRecordBytes + 1);
  }
  ++number_;
  const bool has_line_feed = end < window_.view().size();
  size_with_end_ = end + (has_line_feed ? 1 : 0);
  if (too_long_) return true;
  size_ = end;
  if (has_line_feed && line().ends_with('\r')) --size_;
  return true;
}

}  // namespace elmo

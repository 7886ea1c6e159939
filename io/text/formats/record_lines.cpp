#include "io/text/formats/record_lines.h"

#include <utility>

namespace elmo {

bool RecordLines::next() {
  window_.consume(size_with_end_);
  size_ = size_with_end_ = 0;
  if (!passing_over_ && !window_.fill(1)) return false;
  std::size_t end = window_.find('\n', 0, kMaxRecordBytes + 1);
  while (end > kMaxRecordBytes) {
    passing_over_ = true;
    window_.consume(end);
    end = window_.find('\n', 0, kMaxRecordBytes + 1);
  }
  ++number_;
  too_long_ = std::exchange(passing_over_, false);
  const bool has_line_feed = end < window_.view().size();
  size_with_end_ = end + (has_line_feed ? 1 : 0);
  if (too_long_) return true;
  size_ = end;
  if (has_line_feed && line().ends_with('\r')) --size_;
  return true;
}

}  // namespace elmo

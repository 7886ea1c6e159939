#include "io/text/record_lines.h"

#include "io/text/text_source.h"

namespace elmo {

bool RecordLines::next() {
  window_.consume(size_with_end_);
  size_ = size_with_end_ = 0;
  if (!window_.fill(1)) return false;
  ++number_;
  std::size_t end = window_.find('\n', 0, kMaxRecordBytes + 1);
  too_long_ = end > kMaxRecordBytes;
  while (end > kMaxRecordBytes) {
    window_.consume(end);
    end = window_.find('\n', 0, kMaxRecordBytes + 1);
  }
  const bool has_line_feed = end < window_.view().size();
  size_with_end_ = end + (has_line_feed ? 1 : 0);
  if (too_long_) return true;
  size_ = end;
  if (has_line_feed && line().ends_with('\r')) --size_;
  return true;
}

}  // namespace elmo

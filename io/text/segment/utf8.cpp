#include "io/text/segment/utf8.h"

#include <algorithm>
#include <iterator>

#include "io/text/segment/code_points.h"

namespace elmo {
void RepairedText::assign(std::string_view source) {
  text_.clear();
  repairs_.clear();
  std::size_t valid_begin = 0;
  for (std::size_t next = 0; next < source.size();) {
    const std::size_t begin = next;
    if (next_code_point(source, next) >= 0) continue;
    text_ += source.substr(valid_begin, begin - valid_begin);
    repairs_.push_back({static_cast<std::uint32_t>(text_.size()), static_cast<std::uint32_t>(begin),
                        static_cast<std::uint32_t>(next)});
    text_ += kReplacement;
    valid_begin = next;
  }
  text_ += source.substr(valid_begin);
}

void RepairedText::unwrap_lines() {
  for (char& byte : text_) {
    if (byte == '\n' || byte == '\r') byte = ' ';
  }
}

std::size_t RepairedText::source_offset(std::size_t position) const {
  const auto after = std::ranges::upper_bound(repairs_, position, {}, &Repair::text_begin);
  if (after == repairs_.begin()) return position;
  const Repair& last = *std::prev(after);
  if (position == last.text_begin) return last.source_begin;
  return last.source_end + (position - last.text_begin - kReplacement.size());
}

std::size_t RepairedText::next_repair(std::size_t position) const {
  const auto next = std::ranges::lower_bound(repairs_, position, {}, &Repair::text_begin);
  return next == repairs_.end() ? npos : next->text_begin;
}

std::size_t RepairedText::repairs_within(std::size_t size) const {
  const auto after = std::ranges::lower_bound(repairs_, size, {}, &Repair::source_begin);
  return static_cast<std::size_t>(after - repairs_.begin());
}

std::size_t RepairedText::first_repair() const {
  return repairs_.empty() ? npos : repairs_.front().source_begin;
}

std::size_t cut_position(std::string_view bytes) {
  for (std::size_t end = bytes.size(); end > bytes.size() / 2; --end) {
    if (static_cast<unsigned char>(bytes[end - 1]) <= 0x20) return end;
  }
  return size_of_complete_characters(bytes);
}

}  // namespace elmo

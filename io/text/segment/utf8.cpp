#include "io/text/segment/utf8.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <tuple>

#include "io/text/segment/icu.h"

namespace elmo {
namespace {

// U+FDD0, whose last byte is increased by the number of repaired bytes.
constexpr std::string_view kMarkLead = "\xef\xb7";
constexpr unsigned char kMarkTrail = 0x90;

// Maximal subparts of ill-formed sequences, indexed by their number of bytes minus 1.
constexpr std::array<std::string_view, 3> kIllFormed = {"\xff", "\xe2\x82", "\xf0\x9f\x98"};

/// Escapes the bytes of each code point or ill-formed sequence (a negative number) unless `stays`
/// is true for it.
std::string escaped_unless(std::string_view text, bool (*stays)(UChar32 code_point)) {
  std::string escaped;
  for (std::size_t next = 0; next < text.size();) {
    const std::size_t begin = next;
    const bool unchanged = stays(next_code_point(text, next));
    const std::string_view sequence = text.substr(begin, next - begin);
    if (unchanged) {
      escaped += sequence;
    } else {
      escaped += escaped_bytes(sequence);
    }
  }
  return escaped;
}

}  // namespace

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

std::string RepairedText::marked() const {
  std::string marked = text_;
  for (const Repair& repair : repairs_) {
    const std::uint32_t bytes = repair.source_end - repair.source_begin;
    // A mark has the replacement's size.
    std::copy(kMarkLead.begin(), kMarkLead.end(),
              marked.begin() + static_cast<std::ptrdiff_t>(repair.text_begin));
    marked[repair.text_begin + kMarkLead.size()] = static_cast<char>(kMarkTrail + bytes);
  }
  return marked;
}

std::size_t RepairedText::repairs_within(std::size_t size) const {
  const auto after = std::ranges::lower_bound(repairs_, size, {}, &Repair::source_begin);
  return static_cast<std::size_t>(after - repairs_.begin());
}

std::size_t RepairedText::first_repair() const {
  return repairs_.empty() ? npos : repairs_.front().source_begin;
}

std::string before_repair(std::string_view text, std::string_view marked) {
  std::string source;
  for (auto at = text.begin(), mark = marked.begin();;) {
    const auto begin = at;
    std::tie(at, mark) = std::mismatch(at, text.end(), mark, marked.end());
    if (at == text.end() || mark == marked.end()) return source.append(begin, text.end());
    // The mark and the replacement differ in the second of three bytes.
    source.append(begin, std::prev(at));
    const auto bytes = static_cast<std::size_t>(static_cast<unsigned char>(mark[1]) - kMarkTrail);
    source += kIllFormed[std::min(bytes, kIllFormed.size()) - 1];
    at += 2;
    mark += 2;
  }
}

std::size_t cut_position(std::string_view bytes) {
  for (std::size_t end = bytes.size(); end > bytes.size() / 2; --end) {
    if (static_cast<unsigned char>(bytes[end - 1]) <= 0x20) return end;
  }
  // The last cluster may continue after the bytes, so only the ones before it are complete.
  const std::size_t size = size_of_complete_characters(bytes);
  Boundaries clusters(BoundaryKind::cluster, kRootLocale);
  clusters.set_text(bytes.substr(0, size));
  std::size_t last = 0;
  for (std::size_t next = clusters.next(); next < size; next = clusters.next()) last = next;
  return last > 0 ? last : size;
}

std::string escaped_bytes(std::string_view bytes) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string escaped;
  for (const char byte : bytes) {
    const auto bits = static_cast<unsigned char>(byte);
    escaped += "\\x";
    escaped += kDigits[bits >> 4];
    escaped += kDigits[bits & 15];
  }
  return escaped;
}

std::string escaped_name(std::string_view name) {
  return escaped_unless(name, [](UChar32 code_point) { return code_point > 0; });
}

std::string printable_text(std::string_view text) {
  return escaped_unless(text, [](UChar32 code_point) {
    return code_point == '\n' || code_point == '\t' ||
           (code_point >= 0 && u_charType(code_point) != U_CONTROL_CHAR);
  });
}

}  // namespace elmo

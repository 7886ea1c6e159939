#include "io/text/formats/markdown_line.h"

#include <algorithm>
#include <cstddef>

#include "io/text/segment/white_space.h"

namespace elmo {
namespace {

constexpr std::size_t kMaxHeadingLevel = 6;
constexpr std::size_t kMaxDigits = 3;
constexpr std::size_t kMinUnderline = 3;

/// True if a blank and text follow byte `end` of the line.
bool has_text_after(std::string_view line, std::size_t end) {
  return end < line.size() && (line[end] == ' ' || line[end] == '\t');
}

}  // namespace

MarkdownLine markdown_line(std::string_view line) {
  using Kind = MarkdownLine::Kind;
  line = without_outer_blanks(line);
  if (line.empty()) return {};
  if (line.front() == '#') {
    const std::size_t level = std::min(line.find_first_not_of('#'), line.size());
    const bool is_heading = level <= kMaxHeadingLevel && has_text_after(line, level);
    return {is_heading ? Kind::heading : Kind::text, false};
  }
  if ((line.front() == '=' || line.front() == '-') && line.size() >= kMinUnderline &&
      line.find_first_not_of(line.front()) == std::string_view::npos) {
    return {Kind::underline, false};
  }
  if (line.front() == '-' || line.front() == '*' || line.front() == '+') {
    return {has_text_after(line, 1) ? Kind::bullet : Kind::text, false};
  }
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  if (digits == 0 || digits > kMaxDigits || digits == line.size()) return {};
  if ((line[digits] != '.' && line[digits] != ')') || !has_text_after(line, digits + 1)) return {};
  return {Kind::numbered_item, line.substr(0, digits) == "1"};
}

bool goes_on_with(const MarkdownLine& first, const MarkdownLine& last, const MarkdownLine& next) {
  using Kind = MarkdownLine::Kind;
  if (last.is_heading() || next.kind == Kind::heading || next.kind == Kind::bullet) return false;
  return next.kind != Kind::numbered_item || !(next.is_first || first.is_item());
}

}  // namespace elmo

#include "io/text/formats/text_line.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "io/text/segment/characters.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

using Kind = TextLine::Kind;

bool is_blank_at(std::string_view line, std::size_t at) {
  return at < line.size() && (line[at] == ' ' || line[at] == '\t');
}

bool is_digits(std::string_view text) {
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Removes the quotation marks that a line begins with and returns their number. Emoticons, arrows
/// and comparisons begin with none: >:( >_< >=
std::size_t remove_quotation_marks(std::string_view& line) {
  constexpr std::string_view kNeverQuoted = ":;=_.<^@)(/-";
  std::string_view text = line;
  std::size_t depth = 0;
  bool glued = false;
  while (text.starts_with('>')) {
    ++depth;
    glued = text.size() > 1 && !is_blank_at(text, 1);
    text = without_outer_blanks(text.substr(1));
  }
  if (glued && kNeverQuoted.find(text.front()) != std::string_view::npos) return 0;
  line = text;
  return depth;
}

/// True for a Markdown heading: "# " to "###### " and text.
bool is_heading(std::string_view line) {
  constexpr std::size_t kMaxLevel = 6;
  const std::size_t level = std::min(line.find_first_not_of('#'), line.size());
  return level > 0 && level <= kMaxLevel && is_blank_at(line, level);
}

/// True for a fence of code: ``` or ~~~, perhaps with a language.
bool is_fence(std::string_view line) {
  constexpr std::size_t kMinSigns = 3;
  const char sign = line.front();
  if (sign != '`' && sign != '~') return false;
  const std::size_t signs = std::min(line.find_first_not_of(sign), line.size());
  return signs >= kMinSigns && line.find(sign, signs) == std::string_view::npos;
}

/// True for what separates scenes or the rows of a table: * * *, ___, |---|---|, +---+
bool is_rule(std::string_view line) {
  constexpr std::ptrdiff_t kMinSigns = 3;
  for (const std::string_view signs : {"* \t", "_ \t", "-=+|: \t"}) {
    if (line.find_first_not_of(signs) != std::string_view::npos) continue;
    return std::ranges::count_if(line, [](char c) { return c != ' ' && c != '\t'; }) >= kMinSigns;
  }
  return false;
}

/// Returns `alone` for a row of a table, whose cells are between | or tabs, `cells` if it has only
/// one | inside, or `text`. The | of formulas is in brackets: P(A | B).
Kind kind_of_row(std::string_view line) {
  if (line.find('\t') != std::string_view::npos) return Kind::alone;
  if (line.find('|') == std::string_view::npos) return Kind::text;
  if (line.starts_with('|') && (is_blank_at(line, 1) || line.ends_with('|'))) return Kind::alone;
  int depth = 0;
  int bars = 0;
  for (std::size_t at = line.find_first_of("([{|"); at < line.size();
       at = line.find_first_of("([{|)]}", at + 1)) {
    const char sign = line[at];
    if (sign == '(' || sign == '[' || sign == '{') {
      ++depth;
    } else if (sign != '|') {
      --depth;
    } else if (at > 0 && depth <= 0 && is_blank_at(line, at - 1) && is_blank_at(line, at + 1)) {
      ++bars;
    }
  }
  return bars == 0 ? Kind::text : bars == 1 ? Kind::cells : Kind::alone;
}

/// The first label of each kind of sequence, and the one after it.
using Labels = std::pair<std::string_view, std::string_view>;
constexpr std::array kSequences = {
    Labels{"1", "2"},   Labels{"a", "b"},   Labels{"A", "B"},   Labels{"i", "ii"},
    Labels{"I", "II"},  Labels{"α", "β"},   Labels{"Α", "Β"},   Labels{"а", "б"},
    Labels{"А", "Б"},   Labels{"א", "ב"},   Labels{"أ", "ب"},   Labels{"一", "二"},
    Labels{"あ", "い"}, Labels{"ア", "イ"}, Labels{"イ", "ロ"}, Labels{"가", "나"},
    Labels{"①", "②"},   Labels{"⑴", "⑵"},   Labels{"⒈", "⒉"},   Labels{"⒜", "⒝"},
    Labels{"Ⓐ", "Ⓑ"},   Labels{"ⓐ", "ⓑ"},   Labels{"⓵", "⓶"},   Labels{"❶", "❷"},
    Labels{"➀", "➁"},   Labels{"➊", "➋"},   Labels{"㈀", "㈁"}, Labels{"㈎", "㈏"},
    Labels{"㈠", "㈡"}, Labels{"㉠", "㉡"}, Labels{"㉮", "㉯"}, Labels{"㊀", "㊁"}};

/// True for a number or a letter in a circle or brackets, or with a full stop, that is one
/// character.
bool is_enclosed(UChar32 c) {
  return (c >= 0x2460 && c <= 0x24FF) || (c >= 0x2776 && c <= 0x2793) ||
         (c >= 0x3200 && c <= 0x32B0);
}

/// True for a number, a Roman numeral or a letter that may be a label.
bool is_label(std::string_view text) {
  constexpr std::size_t kMaxDigits = 3;
  constexpr std::size_t kMaxNumerals = 5;
  for (const auto& [characters, most] :
       {std::pair("0123456789", kMaxDigits), std::pair("ivxlc", kMaxNumerals),
        std::pair("IVXLC", kMaxNumerals)}) {
    if (text.find_first_not_of(characters) == std::string_view::npos) return text.size() <= most;
  }
  std::size_t next = 0;
  const UChar32 c = next_code_point(text, next);
  return u_isalpha(c) && next == text.size();
}

/// True for a Chinese number that may be a label: 一, 十二.
bool is_chinese_number(std::string_view text) {
  constexpr std::size_t kMaxBytes = 9;
  for (std::size_t next = 0; next < text.size();) {
    if (!is_in(next_code_point(text, next), U"一二三四五六七八九十")) return false;
  }
  return text.size() <= kMaxBytes;
}

/// A label at the beginning of a line, as parts of the line.
struct Label {
  std::string_view opening;  // a bracket, or nothing
  std::string_view text;
  std::string_view closing;
};

/// Returns the label that a line begins with: (a), a), (1), [1], 1、, ①. Its text is empty if the
/// line begins with none.
Label label_of(std::string_view line) {
  std::size_t end = 0;
  const UChar32 first = next_code_point(line, end);
  if (is_enclosed(first)) return {"", line.substr(0, end), ""};
  const std::string_view opening = line.substr(0, is_in(first, U"([（［") ? end : 0);
  end = opening.size();
  for (std::size_t next = end; next < line.size(); end = next) {
    const UChar32 c = next_code_point(line, next);
    if (u_isalnum(c)) continue;
    const std::string_view text = line.substr(opening.size(), end - opening.size());
    const bool comma = is_in(c, U"、") && opening.empty();
    if (!comma && !is_in(c, U")]）］")) return {};
    if (text.empty() || !(is_chinese_number(text) || (comma ? is_digits(text) : is_label(text)))) {
      return {};
    }
    // A blank is after it unless the text needs none.
    const bool glued =
        next < line.size() && !is_blank_at(line, next) && is_ascii(line.substr(next, 1));
    return glued ? Label() : Label{opening, text, line.substr(end, next - end)};
  }
  return {};
}

/// True for a line of text under which another one is a heading.
bool is_underline(std::string_view line) {
  constexpr std::size_t kMinSigns = 3;
  return (line.front() == '=' || line.front() == '-') && line.size() >= kMinSigns &&
         line.find_first_not_of(line.front()) == std::string_view::npos;
}

/// True for a sign that items of lists begin with: arrows, geometric shapes, dingbats, and those of
/// symbol fonts (private use).
bool is_bullet(UChar32 c) {
  const bool braille = c >= 0x2800 && c <= 0x28FF;
  return is_in(c, U"•‣⁃∙·・･※") || (c >= 0x2190 && c <= 0x21FF) || (c >= 0xF000 && c <= 0xF0FF) ||
         (c >= 0x2300 && c <= 0x2BFF && u_charType(c) == U_OTHER_SYMBOL && !braille &&
          !is_enclosed(c));
}

/// Returns bullet, dash, or text if `line` begins with neither. Text must follow, after a blank
/// unless the bullet is an unmistakable one.
Kind kind_of_bullet(std::string_view line) {
  std::size_t next = 0;
  const UChar32 sign = next_code_point(line, next);
  if (next == line.size()) return Kind::text;
  const UChar32 after = next_code_point(line, next);
  const bool apart = u_isUWhiteSpace(after) != 0;
  if (is_in(sign, U"-*+")) return apart ? Kind::bullet : Kind::text;
  if (is_in(sign, U"–—―‒")) return apart ? Kind::dash : Kind::text;
  const bool unmistakable = sign >= 0x2500 || sign == U'•';
  const bool glued = unmistakable && u_isalnum(after);
  return is_bullet(sign) && (apart || glued) ? Kind::bullet : Kind::text;
}

/// True for an item "1. " or "1) ", up to three digits.
bool is_numbered(std::string_view line) {
  constexpr std::size_t kMaxDigits = 3;
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  return digits > 0 && digits <= kMaxDigits && digits < line.size() &&
         (line[digits] == '.' || line[digits] == ')') && is_blank_at(line, digits + 1);
}

/// True for the lines of a box.
bool is_box(std::string_view line) {
  std::size_t next = 0;
  const UChar32 c = next_code_point(line, next);
  return c >= 0x2500 && c <= 0x257F;
}

std::size_t columns_of(UChar32 c) {
  if (c < 0x300) return 1;  // also for ill-formed sequences
  if (u_charType(c) == U_NON_SPACING_MARK) return 0;
  const int32_t width = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

}  // namespace

TextLine text_line(std::string_view line) {
  TextLine result;
  line = without_outer_blanks(line);
  result.depth = remove_quotation_marks(line);
  if (line.empty()) {
    if (result.depth > 0) result.kind = Kind::alone;
  } else if (is_underline(line)) {
    result.kind = Kind::underline;
  } else if (is_heading(line) || is_fence(line) || is_rule(line) || is_box(line)) {
    result.kind = Kind::alone;
  } else if (is_numbered(line)) {
    result.kind = Kind::numbered;
    result.is_first = line.starts_with('1') && !u_isdigit(line[1]);
  } else if (result.kind = kind_of_bullet(line); result.kind == Kind::text) {
    const Label label = label_of(line);
    if (!label.text.empty()) {
      result.kind = Kind::label;
      for (const auto& [first, second] : kSequences) {
        if (label.text != first) continue;
        result.successor = std::string(label.opening).append(second).append(label.closing);
      }
    } else {
      result.kind = kind_of_row(line);
    }
  }
  return result;
}

std::size_t columns_of(std::string_view line) {
  std::size_t columns = 0;
  for (std::size_t next = 0; next < line.size() && columns <= kWidestWrappedLine;) {
    columns += columns_of(next_code_point(line, next));
  }
  return columns;
}

bool ends_with_stop(std::string_view line) {
  line = without_outer_blanks(line);
  UChar32 last = 0;
  for (std::size_t end = line.size(); end > 0;) {
    last = previous_code_point(line, end);
    if (u_getIntPropertyValue(last, UCHAR_SENTENCE_BREAK) != U_SB_CLOSE) break;
  }
  const int32_t kind = u_getIntPropertyValue(last, UCHAR_SENTENCE_BREAK);
  return kind == U_SB_ATERM || kind == U_SB_STERM || is_in(last, U":;…：；");
}

}  // namespace elmo

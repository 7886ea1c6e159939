// Lines of raw text that are no prose: headings, items of lists, quotations, tables, code fences.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace elmo {

/// The kind of a line, on which it depends where paragraphs end (CommonMark 0.31, and lists and
/// tables as people type them).
struct TextLine {
  enum class Kind {
    text,
    alone,      ///< a paragraph of its own: a heading "# Title", a code fence, a row or a rule of a
                ///< table, a row of stars, a quotation mark without text
    cells,      ///< has a |, as a row of a table with two columns
    underline,  ///< makes the line before it a heading: three or more "=" or "-" and nothing else
    bullet,     ///< begins an item: "- ", "* ", "+ ", "• " and their like
    dash,       ///< "– " or "— ": begins an item or continues a sentence
    numbered,   ///< begins an item: "1. " or "1) ", up to three digits
    label       ///< an item of a sequence: (a), a), (1), [1], ①
  };

  Kind kind = Kind::text;
  bool is_first = false;  ///< numbered: its number is 1
  std::string successor;  ///< label that is the first of a sequence: the next one, "(b)" for (a)
  std::size_t depth = 0;  ///< of a quotation: the number of ">" before the text

  bool is_item() const { return kind >= Kind::bullet; }
  bool is_heading() const { return kind == Kind::alone || kind == Kind::underline; }
};

/// Classifies `line`, which has no line feed. Blanks at its beginning do not matter. Any bytes.
TextLine text_line(std::string_view line);

/// Maximum width of a hard-wrapped line in columns.
inline constexpr std::size_t kWidestWrappedLine = 100;

/// Returns the width of `line` in columns, or a number above kWidestWrappedLine if it is wider than
/// that. Most characters take one column, wide ones (East_Asian_Width W and F) two, nonspacing
/// marks none. Any bytes.
std::size_t columns_of(std::string_view line);

/// A line of fewer columns was hardly wrapped at its end.
inline constexpr std::size_t kNarrowestWrappedLine = 50;

/// True if `line`, which has no line feed, ends with a full stop or a similar sign, a colon or a
/// semicolon, and perhaps closing quotes or brackets.
bool ends_with_stop(std::string_view line);

}  // namespace elmo

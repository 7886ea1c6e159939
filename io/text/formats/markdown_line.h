// Lines with CommonMark markup.
#pragma once

#include <string_view>

namespace elmo {

/// The kind of a line, as far as it affects where paragraphs end (CommonMark 0.31).
struct MarkdownLine {
  enum class Kind {
    text,
    heading,       ///< "# " to "###### " and text
    underline,     ///< of a heading: three or more of "=" or of "-" and nothing else
    bullet,        ///< an item: "- ", "* " or "+ " and text
    numbered_item  ///< "1. " or "1) ", up to three digits, and text
  };

  Kind kind = Kind::text;
  bool is_first = false;  ///< numbered items only: its number is 1

  bool is_item() const { return kind == Kind::bullet || kind == Kind::numbered_item; }
  bool is_heading() const { return kind == Kind::heading || kind == Kind::underline; }
};

/// Classifies `line`, which has no line feed; blanks at its beginning do not matter.
MarkdownLine markdown_line(std::string_view line);

/// True if `next` continues a paragraph with these first and last lines, as plain text does. A
/// heading is a paragraph of its own, and an item begins one. A numbered line begins an item if its
/// number is 1 or the paragraph is an item: any other may have been wrapped there by chance.
bool goes_on_with(const MarkdownLine& first, const MarkdownLine& last, const MarkdownLine& next);

}  // namespace elmo

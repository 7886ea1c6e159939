// Lines of text that are marked up as CommonMark has it.
#pragma once

#include <string_view>

namespace elmo {

/// What a line is, as far as it decides where paragraphs end (CommonMark 0.31).
struct MarkdownLine {
  enum class Kind {
    text,
    heading,       ///< "# " to "###### " and text
    underline,     ///< of a heading: three or more of "=" or of "-" and nothing else
    bullet,        ///< an item: "- ", "* " or "+ " and text
    numbered_item  ///< "1. " or "1) ", up to three digits, and text
  };

  Kind kind = Kind::text;
  bool is_first = false;  ///< of a numbered item: its number is 1

  bool is_item() const { return kind == Kind::bullet || kind == Kind::numbered_item; }
  bool is_heading() const { return kind == Kind::heading || kind == Kind::underline; }
};

/// `line` is without its line feed; blanks at its beginning do not matter.
MarkdownLine markdown_line(std::string_view line);

/// Whether `next` continues with a paragraph whose first and last lines are given, as text does. A
/// heading is a paragraph of its own, and an item begins one. A numbered line begins an item where
/// its number is 1 or the paragraph is an item: any other may have been wrapped there by chance.
bool goes_on_with(const MarkdownLine& first, const MarkdownLine& last, const MarkdownLine& next);

}  // namespace elmo

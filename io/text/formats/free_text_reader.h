// Raw text: one paragraph per line, or hard-wrapped lines with blank lines between paragraphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "io/text/bytes/byte_stream.h"
#include "io/text/formats/format_reader.h"

namespace elmo {

/// The kind of a line, as far as it affects where paragraphs end (CommonMark 0.31).
struct MarkdownLine {
  enum class Kind {
    text,
    heading,       ///< "# " to "###### " and text
    underline,     ///< underlines a heading: three or more "=" or "-" and nothing else
    bullet,        ///< an item: "- ", "* " or "+ " and text
    numbered_item  ///< "1. " or "1) ", up to three digits, and text
  };

  Kind kind = Kind::text;
  bool is_first = false;  ///< numbered items only: its number is 1

  bool is_item() const { return kind == Kind::bullet || kind == Kind::numbered_item; }
  bool is_heading() const { return kind == Kind::heading || kind == Kind::underline; }
};

/// Maximum width of a hard-wrapped line in columns. Most characters take one column, wide ones
/// (East_Asian_Width W and F) two, nonspacing marks none.
inline constexpr std::size_t kWidestWrappedLine = 100;

/// True if the line at `begin` of the window's view can continue a paragraph. If it cannot, it
/// begins a paragraph whatever is before it, so text can be cut there.
bool can_be_wrapped(ByteWindow& window, std::size_t begin);

/// The sentences of a text. A paragraph ends
///   - before a blank line,
///   - at the end of a line if it or the next line is wider than kWidestWrappedLine,
///   - before and after a Markdown heading, and before a list item.
/// Otherwise the end of a line is a space: the next line continues the paragraph and perhaps the
/// sentence. (By UAX #29 alone, a sentence would end at the end of each line.) This handles both
/// ways of writing text. With one paragraph per line, two adjacent short paragraphs may be joined,
/// which matters if the first does not end with a full stop; FormatOptions::lines avoids that.
///
/// A program that waits for the sentence of a short line must therefore also send the next line; a
/// blank line ends the paragraph.
///
/// A text without any token is one sentence of zero tokens; a stretch without any has no sentence.
/// A long paragraph is segmented in pieces of 1 MiB that end between sentences; a piece is larger
/// only if a single sentence is.
class FreeTextReader : public FormatReader {
 public:
  explicit FreeTextReader(const TextInput& input);

  bool next(Sentence& sentence) override;
  const UnitBegin* unit() const override { return &unit_; }

 private:
  bool begin_piece();
  void skip_blank_lines();
  void extend_paragraph(std::size_t limit);
  void set_piece(std::size_t size, bool whole);
  void consume(std::size_t size);
  void hold_back();
  void take_tokens(const Segmenter::Sentence& found, Sentence& sentence);
  std::uint64_t line_at(std::size_t position);

  bool any_sentence_;

  // The paragraph at the beginning of the window: the number of its known bytes, whether it ends
  // there, and the columns of the current line.
  std::size_t paragraph_ = 0;
  bool paragraph_ends_ = true;
  bool paragraph_begins_ = false;  // the next sentence begins one
  std::size_t line_columns_ = 0;
  MarkdownLine first_line_;  // first line of the paragraph
  MarkdownLine last_line_;   // last line known to belong to it

  // The piece that is being segmented, at the beginning of the window. whole: the text after it
  // does not belong to its last sentence.
  bool in_piece_ = false;
  std::size_t piece_ = 0;
  bool piece_is_whole_ = false;
  std::size_t piece_limit_;
  RepairedText text_;
  std::size_t sentence_begin_ = 0;  // start of the next sentence in text_

  std::uint64_t line_;  // line number at counted_lines_ in the window
  std::size_t counted_lines_ = 0;
  UnitBegin unit_;  // the paragraph
};

/// Returns the reader of raw text that the context's option `lines` selects, for a file, a stretch
/// of one, or a record's text.
std::unique_ptr<FormatReader> make_raw_text_reader(const TextInput& input);

}  // namespace elmo

// Raw text: one paragraph per line, or hard-wrapped lines with blank lines between paragraphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "io/text/bytes/byte_stream.h"
#include "io/text/formats/format_reader.h"
#include "io/text/formats/text_line.h"

namespace elmo {

/// True if the line at `begin` of the window's view can continue a paragraph. If it cannot, it
/// begins a paragraph whatever is before it, so text can be cut there.
bool can_be_wrapped(ByteWindow& window, std::size_t begin);

/// The sentences of a text. A paragraph ends
///   - before a blank line,
///   - at the end of a line if it or the next line is wider than kWidestWrappedLine,
///   - around a heading, a row of a table, a fence of code and a quotation (TextLine),
///   - before an item of a list.
/// Otherwise the end of a line is a space: the next line continues the paragraph and perhaps the
/// sentence. (By UAX #29 alone, a sentence would end at the end of each line.) This handles both
/// ways of writing text. With one paragraph per line, two adjacent short paragraphs may be joined,
/// which matters if the first does not end with a full stop; FormatOptions::lines avoids that.
///
/// A program that waits for the sentence of a short line must therefore also send the next line; a
/// blank line ends the paragraph.
///
/// A text without tokens is one sentence of zero tokens. A paragraph without tokens has no
/// sentence. A long paragraph is segmented in pieces of 1 MiB, each of which ends between two
/// sentences. A sentence of more than 1 MiB gets a larger piece.
class FreeTextReader : public FormatReader {
 public:
  explicit FreeTextReader(const TextInput& input);

  bool next(Sentence& sentence) override;
  const UnitBegin* unit() const override { return &unit_; }

 private:
  bool begin_piece();
  void skip_blank_lines();
  void extend_paragraph(std::size_t limit);
  bool goes_on_at(std::size_t begin, std::size_t columns);
  std::string_view line_after(std::size_t begin);
  bool begins_sequence(const TextLine& label, std::size_t begin);
  void set_piece(std::size_t size, bool whole);
  void consume(std::size_t size);
  bool hold_back();
  void take_tokens(const Segmenter::Sentence& found, Sentence& sentence);
  std::uint64_t line_at(std::size_t position);

  bool any_sentence_;

  // The paragraph at the beginning of the window: the number of its known bytes, whether it ends
  // there, and the columns of the current line.
  std::size_t paragraph_ = 0;
  bool paragraph_ends_ = true;
  bool paragraph_begins_ = false;  // the next sentence begins one
  std::size_t line_columns_ = 0;
  TextLine first_line_;    // first line of the paragraph
  TextLine last_line_;     // last line known to belong to it
  std::size_t lines_ = 0;  // known to belong to it

  // The piece that is being segmented. It begins where the window begins. If it is whole, its last
  // sentence ends with it; otherwise that sentence may continue in the text after it.
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

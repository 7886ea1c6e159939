// The reader of raw text in paragraphs.
#include <unicode/uchar.h>

#include <algorithm>
#include <utility>

#include "io/text/formats/readers.h"
#include "io/text/formats/text_line.h"
#include "io/text/segment/characters.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

constexpr std::size_t kTextPieceBytes = std::size_t{1} << 20;
constexpr std::size_t kEnoughToTell = 8 * kWidestWrappedLine;  // bytes of a line
constexpr std::size_t kMaxItemLines = 32;  // of a list in which other items are expected

bool is_blank(std::string_view line) {
  for (std::size_t next = 0; next < line.size();) {
    if (!u_isUWhiteSpace(next_code_point(line, next))) return false;
  }
  return true;
}

/// Returns the line at `begin` of the window's view, up to kEnoughToTell bytes.
std::string_view line_from(ByteWindow& window, std::size_t begin) {
  const std::size_t end = window.find('\n', begin, begin + kEnoughToTell);
  return window.view().substr(begin, end - begin);
}

}  // namespace

bool can_be_wrapped(ByteWindow& window, std::size_t begin) {
  const std::string_view line = line_from(window, begin);
  return line.size() < kEnoughToTell && columns_of(line) <= kWidestWrappedLine && !is_blank(line);
}

namespace {

class FreeTextReader final : public FormatReader {
 public:
  explicit FreeTextReader(const TextInput& input)
      : FormatReader(input),
        any_sentence_(!input.whole),
        piece_limit_(kTextPieceBytes),
        line_(input.line) {}

  bool next(Sentence& sentence) override {
    sentence.document = document_;
    for (;;) {
      if (!in_piece_ && !begin_piece()) {
        sentence.line = 1;
        return !std::exchange(any_sentence_, true);
      }
      const Segmenter::Sentence found = context_.segmenter().next();
      const bool certain =
          piece_is_whole_ || found.end + Segmenter::kLookahead < text_.text().size();
      if (found.end == Segmenter::npos) {
        consume(piece_);
      } else if (certain || !hold_back()) {
        take_tokens(found, sentence);
        sentence_begin_ = found.next;
        if (sentence.size() > 0) {
          any_sentence_ = true;
          sentence.begins_paragraph = std::exchange(paragraph_begins_, false);
          return true;
        }
      }
    }
  }

  const UnitBegin* unit() const override { return &unit_; }

 private:
  /// Starts the next piece to segment; returns false at the end of the text.
  bool begin_piece() {
    if (paragraph_ == 0 && paragraph_ends_) {
      skip_blank_lines();
      first_line_ = last_line_ = text_line(line_from(window_, 0));
      paragraph_ends_ = false;
      paragraph_begins_ = true;
      lines_ = 1;
      line_columns_ = 0;
      unit_ = {window_.offset(), line_, context_.counters};
    }
    if (!window_.fill(1)) return false;
    extend_paragraph(piece_limit_);
    const bool may_be_cut = !paragraph_ends_ && piece_limit_ == kMaxSentenceBytes;
    set_piece(may_be_cut ? cut_position(window_.view().substr(0, paragraph_)) : paragraph_,
              paragraph_ends_);
    return true;
  }

  void skip_blank_lines() {
    while (window_.fill(1)) {
      const std::string_view view = window_.view();
      const std::size_t blank = std::min(view.find_first_not_of(" \t\n\v\f\r"), view.size());
      line_at(blank);
      counted_lines_ = 0;
      window_.consume(blank);
      if (blank < view.size()) break;
    }
  }

  /// Searches the first `limit` bytes of the window for the end of the paragraph.
  void extend_paragraph(std::size_t limit) {
    while (!paragraph_ends_ && paragraph_ < limit) {
      std::size_t line_end = window_.find('\n', paragraph_, limit);
      const bool stops_inside = line_end == limit;
      if (stops_inside) line_end = size_of_complete_characters(window_.view().substr(0, limit));
      const std::size_t columns =
          line_columns_ + columns_of(window_.view().substr(paragraph_, line_end - paragraph_));
      const bool text_ends = line_end == window_.view().size();
      if (stops_inside || text_ends) {
        paragraph_ = line_end;
        paragraph_ends_ = !stops_inside;
        line_columns_ = columns;
        return;
      }
      paragraph_ends_ = columns > kWidestWrappedLine || !can_be_wrapped(window_, line_end + 1) ||
                        !goes_on_at(line_end + 1, columns);
      paragraph_ = line_end + 1;
      line_columns_ = 0;
    }
  }

  /// True if the next line, at `begin` of the window, continues the paragraph, whose last line has
  /// so many columns. Text does, unless it is quoted at another depth. A number begins an item if
  /// it is 1 or an item began not long before; otherwise the line may have been wrapped there by
  /// chance. So may a dash, a label that is not one of several, and a single |.
  bool goes_on_at(std::size_t begin, std::size_t columns) {
    using Kind = TextLine::Kind;
    const TextLine next = text_line(line_from(window_, begin));
    const TextLine last = std::exchange(last_line_, next);
    const bool in_list = first_line_.is_item() && lines_ <= kMaxItemLines;
    ++lines_;
    if (last.is_heading() || first_line_.kind == Kind::cells || last.depth != next.depth)
      return false;
    switch (next.kind) {
      case Kind::alone:
      case Kind::bullet:
        return false;
      case Kind::cells: {
        const TextLine after = text_line(line_after(begin));
        return after.kind != Kind::cells && after.kind != Kind::alone;
      }
      case Kind::dash:
        return first_line_.kind != Kind::dash && columns >= kNarrowestWrappedLine &&
               !ends_with_stop(window_.view().substr(paragraph_, begin - 1 - paragraph_));
      case Kind::numbered:
        return !next.is_first && !in_list;
      case Kind::label:
        return !in_list && !begins_sequence(next, begin);
      default:
        return true;
    }
  }

  /// Returns the line after the one at `begin` of the window, up to kEnoughToTell bytes; empty
  /// after the last one and after one that is longer.
  std::string_view line_after(std::size_t begin) {
    const std::size_t end = begin + line_from(window_, begin).size();
    if (end == window_.view().size() || window_.view()[end] != '\n') return {};
    return line_from(window_, end + 1);
  }

  /// True if the label of the line at `begin` is the first of a sequence, and the next one begins a
  /// line soon after it in the paragraph.
  bool begins_sequence(const TextLine& label, std::size_t begin) {
    for (std::size_t line = 0; line < kMaxItemLines && !label.successor.empty(); ++line) {
      const std::string_view next = line_after(begin);
      if (without_outer_blanks(next).starts_with(label.successor)) return true;
      if (is_blank(next)) return false;
      begin = static_cast<std::size_t>(next.data() - window_.view().data());
    }
    return false;
  }

  void set_piece(std::size_t size, bool whole) {
    in_piece_ = true;
    piece_ = size;
    piece_is_whole_ = whole;
    text_.assign(window_.view().substr(0, size));
    context_.check_repairs(text_, window_.view(), name_, window_.offset());
    text_.unwrap_lines();
    context_.segmenter().set_text(text_.text());
    sentence_begin_ = 0;
  }

  /// Ends the piece after its first `size` bytes; the rest will be segmented again.
  void consume(std::size_t size) {
    context_.counters.invalid_sequences += text_.repairs_within(size);
    line_at(size);
    counted_lines_ = 0;
    window_.consume(size);
    paragraph_ -= size;
    in_piece_ = false;
    piece_limit_ = kTextPieceBytes;
  }

  /// Retries with more text, because the last sentence of the piece may continue after it. Returns
  /// false if the piece has the size of the largest sentence, which then ends with it.
  bool hold_back() {
    const std::size_t begin = text_.source_offset(sentence_begin_);
    if (begin > 0) {
      consume(begin);
    } else if (piece_limit_ < kMaxSentenceBytes) {
      // A larger piece each time would be segmented many times.
      piece_limit_ = kMaxSentenceBytes;
      in_piece_ = false;
    } else {
      ++context_.counters.cut_sentences;
      piece_is_whole_ = true;
      return false;
    }
    return true;
  }

  void take_tokens(const Segmenter::Sentence& found, Sentence& sentence) {
    const std::string_view source = window_.view();
    bool one_line = true;
    for (const TextRange& token : found.tokens) {
      if (sentence.size() == 0) {
        const std::size_t begin = text_.source_offset(token.begin);
        sentence.line = line_at(begin);
        const std::size_t source_end = text_.source_offset(found.end);
        one_line = source.substr(begin, source_end - begin).find('\n') == std::string_view::npos;
      } else if (!one_line) {
        const std::uint64_t before = line_;
        if (line_at(text_.source_offset(token.begin)) > before) sentence.begin_line(line_);
      }
      context_.add_words(text_, token, window_.offset(), sentence);
    }
  }

  /// Returns the line number of a position in the window; positions never decrease.
  std::uint64_t line_at(std::size_t position) {
    const std::string_view passed =
        window_.view().substr(counted_lines_, position - counted_lines_);
    line_ += static_cast<std::uint64_t>(std::ranges::count(passed, '\n'));
    counted_lines_ = position;
    return line_;
  }

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

}  // namespace

std::unique_ptr<FormatReader> make_raw_text_reader(const TextInput& input) {
  if (input.context.options.lines) {
    return make_line_reader(LineTokens::segmented, input);
  }
  return std::make_unique<FreeTextReader>(input);
}

}  // namespace elmo

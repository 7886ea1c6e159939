#include "io/text/formats/free_text_reader.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <utility>

#include "io/text/formats/line_reader.h"
#include "io/text/segment/characters.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

constexpr std::size_t kMaxHeadingLevel = 6;
constexpr std::size_t kMaxDigits = 3;
constexpr std::size_t kMinUnderline = 3;

/// True if a blank and text follow byte `end` of the line.
bool has_text_after(std::string_view line, std::size_t end) {
  return end < line.size() && (line[end] == ' ' || line[end] == '\t');
}

/// Classifies `line`, which has no line feed; blanks at its beginning do not matter.
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

/// True if the line `next` continues a paragraph with these first and last lines. Plain text does.
/// A heading is a separate paragraph, and an item begins one. A numbered line begins an item only
/// if its number is 1 or the paragraph is an item; otherwise the line may have been wrapped there
/// by chance.
bool goes_on_with(const MarkdownLine& first, const MarkdownLine& last, const MarkdownLine& next) {
  using Kind = MarkdownLine::Kind;
  if (last.is_heading() || next.kind == Kind::heading || next.kind == Kind::bullet) return false;
  return next.kind != Kind::numbered_item || !(next.is_first || first.is_item());
}

constexpr std::size_t kTextPieceBytes = std::size_t{1} << 20;
constexpr std::size_t kEnoughToTell = 8 * kWidestWrappedLine;  // bytes of a line

std::size_t columns_of(UChar32 c) {
  if (c < 0x300) return 1;  // also for ill-formed sequences
  if (u_charType(c) == U_NON_SPACING_MARK) return 0;
  const int32_t width = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

/// Counts columns until the line is clearly too wide to be hard-wrapped.
std::size_t count_columns(std::string_view line) {
  std::size_t columns = 0;
  for (std::size_t next = 0; next < line.size() && columns <= kWidestWrappedLine;) {
    columns += columns_of(next_code_point(line, next));
  }
  return columns;
}

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
  return line.size() < kEnoughToTell && count_columns(line) <= kWidestWrappedLine &&
         !is_blank(line);
}

FreeTextReader::FreeTextReader(const TextInput& input)
    : FormatReader(input),
      any_sentence_(!input.whole),
      piece_limit_(kTextPieceBytes),
      line_(input.line) {}

bool FreeTextReader::next(Sentence& sentence) {
  sentence.document = document_;
  for (;;) {
    if (!in_piece_ && !begin_piece()) {
      sentence.line = 1;
      return !std::exchange(any_sentence_, true);
    }
    const Segmenter::Sentence found = context_.segmenter().next();
    if (found.end == Segmenter::npos) {
      consume(piece_);
    } else if (!piece_is_whole_ && found.end + Segmenter::kLookahead >= text_.text().size()) {
      hold_back();
    } else {
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

/// Starts the next piece to segment; returns false at the end of the text.
bool FreeTextReader::begin_piece() {
  if (paragraph_ == 0 && paragraph_ends_) {
    skip_blank_lines();
    first_line_ = last_line_ = markdown_line(line_from(window_, 0));
    paragraph_ends_ = false;
    paragraph_begins_ = true;
    line_columns_ = 0;
    unit_ = {window_.offset(), line_, context_.counters};
  }
  if (!window_.fill(1)) return false;
  extend_paragraph(piece_limit_);
  set_piece(paragraph_, paragraph_ends_);
  return true;
}

void FreeTextReader::skip_blank_lines() {
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
void FreeTextReader::extend_paragraph(std::size_t limit) {
  while (!paragraph_ends_ && paragraph_ < limit) {
    std::size_t line_end = window_.find('\n', paragraph_, limit);
    const bool stops_inside = line_end == limit;
    if (stops_inside) line_end = size_of_complete_characters(window_.view().substr(0, limit));
    const std::size_t columns =
        line_columns_ + count_columns(window_.view().substr(paragraph_, line_end - paragraph_));
    const bool text_ends = line_end == window_.view().size();
    if (stops_inside || text_ends) {
      paragraph_ = line_end;
      paragraph_ends_ = !stops_inside;
      line_columns_ = columns;
      return;
    }
    bool goes_on = columns <= kWidestWrappedLine && can_be_wrapped(window_, line_end + 1);
    if (goes_on) {
      const MarkdownLine next = markdown_line(line_from(window_, line_end + 1));
      goes_on = goes_on_with(first_line_, std::exchange(last_line_, next), next);
    }
    paragraph_ = line_end + 1;
    paragraph_ends_ = !goes_on;
    line_columns_ = 0;
  }
}

void FreeTextReader::set_piece(std::size_t size, bool whole) {
  in_piece_ = true;
  piece_ = size;
  piece_is_whole_ = whole;
  text_.assign(window_.view().substr(0, size));
  context_.check_strict(text_, name_, window_.offset());
  text_.unwrap_lines();
  context_.segmenter().set_text(text_.text());
  sentence_begin_ = 0;
}

/// Ends the piece after its first `size` bytes; the rest will be segmented again.
void FreeTextReader::consume(std::size_t size) {
  context_.counters.invalid_sequences += text_.repairs_within(size);
  line_at(size);
  counted_lines_ = 0;
  window_.consume(size);
  paragraph_ -= size;
  in_piece_ = false;
  piece_limit_ = kTextPieceBytes;
}

/// Retries with more text, because the last sentence of the piece may continue after it.
void FreeTextReader::hold_back() {
  const std::size_t begin = text_.source_offset(sentence_begin_);
  if (begin > 0) {
    consume(begin);
  } else if (piece_limit_ < kMaxSentenceBytes) {
    piece_limit_ *= 2;
    in_piece_ = false;
  } else {
    ++context_.counters.cut_sentences;
    set_piece(cut_position(window_.view().substr(0, piece_)), true);
  }
}

void FreeTextReader::take_tokens(const Segmenter::Sentence& found, Sentence& sentence) {
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
std::uint64_t FreeTextReader::line_at(std::size_t position) {
  const std::string_view passed = window_.view().substr(counted_lines_, position - counted_lines_);
  line_ += static_cast<std::uint64_t>(std::ranges::count(passed, '\n'));
  counted_lines_ = position;
  return line_;
}

std::unique_ptr<FormatReader> make_raw_text_reader(const TextInput& input) {
  if (input.context.options.lines) {
    return std::make_unique<LineReader>(LineTokens::segmented, input);
  }
  return std::make_unique<FreeTextReader>(input);
}

}  // namespace elmo

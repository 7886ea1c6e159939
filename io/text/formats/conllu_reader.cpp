#include "io/text/formats/conllu_reader.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "io/text/segment/code_points.h"
#include "io/text/segment/white_space.h"

namespace elmo {
namespace {

constexpr std::size_t kColumns = 10;

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_range_or_empty_node(std::string_view id) {
  const std::size_t middle = std::min(id.find_first_of("-."), id.size());
  return middle < id.size() && is_number(id.substr(0, middle)) && is_number(id.substr(middle + 1));
}

/// Column `index`, 0-based, of a line that has as many.
std::string_view column_of(std::string_view line, std::size_t index) {
  for (; index > 0; --index) line.remove_prefix(line.find('\t') + 1);
  return line.substr(0, line.find('\t'));
}

}  // namespace

ConlluReader::ConlluReader(ByteWindow& window, std::string name, ReadingContext& context,
                           std::optional<std::size_t> kept_column)
    : name_(std::move(name)), context_(context), kept_column_(kept_column), lines_(window) {}

bool ConlluReader::next(Sentence& sentence) {
  while (lines_.next()) {
    if (lines_.too_long() || (bytes_ += lines_.line().size()) > kMaxRecordBytes) {
      fail("a sentence of more than " + std::to_string(kMaxRecordBytes) + " bytes",
           "a blank line after each sentence");
    }
    if (lines_.line().empty()) {
      if (first_line_ > 0) break;
      continue;
    }
    if (first_line_ == 0) first_line_ = lines_.number();
    read_line();
  }
  if (first_line_ == 0) {
    if (document_) return false;
    first_line_ = 1;
  }
  if (!document_ || new_document_) {
    document_ = context_.begin_document(new_document_.value_or(name_));
    new_document_.reset();
  }
  std::swap(sentence, words_);
  words_.clear();
  std::swap(kept_values_, values_);
  values_.clear();
  sentence.document = document_;
  sentence.line = std::exchange(first_line_, 0);
  bytes_ = 0;
  return true;
}

void ConlluReader::read_line() {
  line_.assign(lines_.line());
  context_.count_repairs(line_, name_, lines_.offset());
  if (line_.text().starts_with('#')) {
    read_comment(line_.text().substr(1));
  } else {
    read_word();
  }
}

void ConlluReader::read_comment(std::string_view comment) {
  constexpr std::string_view kNewDocument = "newdoc";
  comment = without_outer_blanks(comment);
  if (!comment.starts_with(kNewDocument)) return;
  comment.remove_prefix(kNewDocument.size());
  if (!comment.empty() && comment.front() != ' ' && comment.front() != '\t') return;
  new_document_ = name_;
  comment = without_outer_blanks(comment);
  if (!comment.starts_with("id")) return;
  comment = without_outer_blanks(comment.substr(2));
  if (comment.starts_with('=')) new_document_ = without_outer_blanks(comment.substr(1));
}

void ConlluReader::read_word() {
  const std::string_view text = line_.text();
  const auto tabs = static_cast<std::size_t>(std::ranges::count(text, '\t'));
  if (tabs + 1 != kColumns) {
    fail(std::to_string(tabs + 1) + " columns", "ten columns, separated by tabs");
  }
  const std::size_t id_end = text.find('\t');
  const TextRange form{id_end + 1, text.find('\t', id_end + 1)};

  const std::string_view id = text.substr(0, id_end);
  if (is_range_or_empty_node(id)) return;
  const std::string expected = std::to_string(words_.size() + 1);
  if (id != expected) {
    const std::size_t shown = size_of_complete_characters(id.substr(0, 40));
    fail("the ID '" + std::string(id.substr(0, shown)) + "'",
         "the ID " + expected + ", a range such as 1-2 or an empty node such as 1.1");
  }
  const std::string_view word = text.substr(form.begin, form.end - form.begin);
  if (word.empty()) fail("an empty FORM", "a word in the second column");
  if (word.find('\0') != std::string_view::npos) fail("a NUL in FORM", "text");
  if (kept_column_) {
    const std::string_view value = column_of(text, *kept_column_);
    if (value.empty()) {
      fail("an empty column " + std::to_string(*kept_column_ + 1),
           "a value, or _ where there is none");
    }
    values_.emplace_back(value);
  }
  words_.begin_line(lines_.number());
  add_token(line_, form, lines_.offset(), words_);
}

void ConlluReader::fail(const std::string& found, const std::string& expected) const {
  throw InputError(name_ + ": line " + std::to_string(lines_.number()) + ": found " + found +
                   "; expected " + expected + " (CoNLL-U); fix the file");
}

}  // namespace elmo

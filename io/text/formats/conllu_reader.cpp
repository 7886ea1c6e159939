#include "io/text/formats/conllu_reader.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "io/text/segment/characters.h"

namespace elmo {
namespace {

constexpr std::string_view kGlobalColumns = "global.columns";
// More than any treebank has, and few enough for the memory of a long line.
constexpr std::size_t kMaxColumns = 1024;

/// The FORM of words whose text was taken out for legal reasons, and of an underscore.
constexpr std::string_view kNoForm = "_";
/// If this many words at the beginning are all `_`, the file has no text, whatever follows.
constexpr std::uint64_t kManyWords = 1000;

bool is_range_or_empty_node(std::string_view id) {
  const std::size_t middle = std::min(id.find_first_of("-."), id.size());
  return middle < id.size() && is_digits(id.substr(0, middle)) && is_digits(id.substr(middle + 1));
}

/// Returns the value of a comment `# KEY = VALUE`, or nothing if the line is not such a comment
/// with this key.
std::optional<std::string_view> value_of(std::string_view line, std::string_view key) {
  if (!line.starts_with('#')) return std::nullopt;
  line = without_outer_blanks(line.substr(1));
  if (!line.starts_with(key)) return std::nullopt;
  line = without_outer_blanks(line.substr(key.size()));
  if (!line.starts_with('=')) return std::nullopt;
  return without_outer_blanks(line.substr(1));
}

}  // namespace

bool is_name_of_conllu(std::string_view name) {
  return name.ends_with(".conllu") || name.ends_with(".conllup") || name.ends_with(".cupt");
}

bool is_conllu_word(std::string_view line) {
  constexpr std::ptrdiff_t kTabs = 9;
  const bool is_numbered = !line.empty() && line.front() >= '0' && line.front() <= '9';
  return is_numbered && std::ranges::count(line, '\t') == kTabs;
}

ConlluColumns::ConlluColumns()
    : names_{"id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc"},
      form_(1),
      id_(0) {}

bool ConlluColumns::take(std::string_view line) {
  std::optional<std::string_view> value = value_of(line, kGlobalColumns);
  if (!value) return false;
  names_.clear();
  while (!value->empty()) {
    if (names_.size() == kMaxColumns) {
      throw InputError("found more than " + std::to_string(kMaxColumns) +
                       " names in global.columns; expected fewer");
    }
    const std::size_t end = std::min(value->find_first_of(" \t"), value->size());
    names_.push_back(lower_case(value->substr(0, end)));
    value = without_outer_blanks(value->substr(end));
  }
  plus_ = true;
  const auto number_of = [this](const char* name) -> std::optional<std::size_t> {
    const auto found = std::ranges::find(names_, name);
    if (found == names_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names_.begin());
  };
  id_ = number_of("id");
  const std::optional<std::size_t> form = number_of("form");
  if (!form) throw InputError("found global.columns without FORM; expected FORM among them");
  form_ = *form;
  return true;
}

bool ConlluColumns::is_comment(std::string_view line) const {
  if (!line.starts_with('#')) return false;
  const auto columns = static_cast<std::size_t>(std::ranges::count(line, '\t')) + 1;
  const bool is_word = !id_ && names_.size() > 1 && columns == names_.size();
  return !is_word;
}

std::vector<std::string> ConlluColumns::labels() const {
  std::vector<std::string> labels;
  for (std::size_t column = 0; column < names_.size(); ++column) {
    if (column != form_ && column != id_) labels.push_back(names_[column]);
  }
  return labels;
}

std::optional<std::size_t> ConlluColumns::find_labels(const std::string& name) const {
  for (std::size_t column = 0; column < names_.size(); ++column) {
    if (column == form_ || column == id_) continue;
    if (names_[column] == lower_case(name) || std::to_string(column + 1) == name) return column;
  }
  return std::nullopt;
}

ConlluReader::ConlluReader(const TextInput& input, std::optional<std::string> kept_column)
    : FormatReader(input),
      kept_column_(std::move(kept_column)),
      lines_(input.window),
      begins_file_(input.whole && input.line == 1) {}

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
    read_line();
  }
  if (first_line_ == 0) {
    if (begins_file_ && !has_text_ && words_without_text_ > 1) refuse_without_text();
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
  context_.count_repairs(line_, window_.view(), name_, lines_.offset());
  try {
    if (columns_.take(line_.text())) {
      kept_.reset();
      return;
    }
  } catch (const InputError& error) {
    throw InputError(name_ + ": line " + std::to_string(lines_.number()) + ": " + error.what() +
                     " (CoNLL-U Plus); fix the file");
  }
  if (first_line_ == 0) first_line_ = lines_.number();
  if (columns_.is_comment(line_.text())) {
    read_comment(line_.text().substr(1));
  } else {
    read_word();
  }
}

void ConlluReader::read_comment(std::string_view comment) {
  constexpr std::string_view kNewDocument = "newdoc";
  comment.remove_prefix(std::min(comment.find_first_not_of(" \t"), comment.size()));
  if (!comment.starts_with(kNewDocument)) return;
  comment.remove_prefix(kNewDocument.size());
  if (!comment.empty() && comment.front() != ' ' && comment.front() != '\t') return;
  new_document_ = name_;
  comment.remove_prefix(std::min(comment.find_first_not_of(" \t"), comment.size()));
  if (!comment.starts_with("id")) return;
  comment.remove_prefix(2);
  comment.remove_prefix(std::min(comment.find_first_not_of(" \t"), comment.size()));
  if (!comment.starts_with('=')) return;
  // One blank belongs to the format; others are part of the id.
  comment.remove_prefix(comment.substr(1).starts_with(' ') ? 2 : 1);
  new_document_ = comment;
}

/// Splits the line into columns.
void ConlluReader::split() {
  const std::string_view text = line_.text();
  const auto columns = static_cast<std::size_t>(std::ranges::count(text, '\t')) + 1;
  if (columns != columns_.size()) {
    fail(human_count(columns, "column"),
         columns_.is_plus() ? std::to_string(columns_.size()) + ", as global.columns names"
                            : "ten columns, separated by tabs");
  }
  ranges_.clear();
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\t', begin), text.size());
    ranges_.push_back({begin, end});
    begin = end + 1;
  }
}

std::string_view ConlluReader::column(std::size_t number) const {
  return line_.text().substr(ranges_[number].begin, ranges_[number].end - ranges_[number].begin);
}

void ConlluReader::read_word() {
  split();
  if (columns_.id()) {
    const std::string_view id = column(*columns_.id());
    if (is_range_or_empty_node(id)) return;
    const std::string expected = std::to_string(words_.size() + 1);
    if (id != expected) {
      fail("the ID '" + excerpt(id) + "'",
           "the ID " + expected + ", a range such as 1-2 or an empty node such as 1.1");
    }
  }
  const std::string_view word = column(columns_.form());
  if (word.empty()) fail("an empty FORM", "a word in its column");
  if (word.find('\0') != std::string_view::npos) fail("a NUL in FORM", "text");
  check_text(word);
  if (kept_column_) {
    if (!kept_) kept_ = columns_.find_labels(*kept_column_);
    if (!kept_) {
      std::string names;
      for (const std::string& name : columns_.labels()) names += " " + name;
      throw RequestError(name_ + ": no column '" + excerpt(*kept_column_) +
                         "' of labels; there are:" + excerpt(names));
    }
    const std::string_view value = column(*kept_);
    if (value.empty()) {
      fail("an empty column " + std::to_string(*kept_ + 1), "a value, or _ for none");
    }
    values_.emplace_back(value);
  }
  words_.begin_line(lines_.number());
  context_.add_given(line_, ranges_[columns_.form()], lines_.offset(), words_);
}

/// InputError if the words so far are many and all of them are `_`.
void ConlluReader::check_text(std::string_view word) {
  if (has_text_) return;
  has_text_ = word != kNoForm;
  if (++words_without_text_ == kManyWords) refuse_without_text();
}

void ConlluReader::refuse_without_text() const {
  throw InputError(name_ + ": found only words whose FORM is _, " +
                   std::to_string(words_without_text_) +
                   " of them; expected words; the text of such a treebank is distributed apart "
                   "from it: put it back with the treebank's own program");
}

void ConlluReader::fail(const std::string& found, const std::string& expected) const {
  throw InputError(
      name_ + ": line " + std::to_string(lines_.number()) + ": found " + found + "; expected " +
      expected +
      (columns_.is_plus() ? " (CoNLL-U Plus); fix the file" : " (CoNLL-U); fix the file"));
}

}  // namespace elmo

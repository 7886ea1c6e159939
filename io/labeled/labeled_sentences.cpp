#include "io/labeled/labeled_sentences.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/json/json_fields.h"
#include "io/labeled/labeled_reader.h"
#include "io/text/bytes/decompression.h"
#include "io/text/formats/conllu_reader.h"
#include "io/text/formats/jsonl_reader.h"
#include "io/text/segment/characters.h"

namespace elmo {

ColumnReader::ColumnReader(ByteWindow& window, std::string name, ReadingContext& context,
                           bool labeled)
    : name_(std::move(name)),
      labeled_(labeled),
      document_(context.begin_document(name_)),
      lines_(window) {}

bool ColumnReader::next(LabeledSentence& labeled) {
  Sentence& sentence = labeled.sentence;
  std::size_t bytes = 0;
  while (lines_.next()) {
    bytes += lines_.line().size();
    if (lines_.too_long() || bytes > kMaxSentenceBytes) {
      fail("a sentence of more than " + std::to_string(kMaxSentenceBytes) + " bytes",
           "a blank line after each sentence");
    }
    line_.assign(lines_.line());
    split();
    if (columns_.empty()) {
      if (sentence.size() > 0) break;
      bytes = 0;
      continue;
    }
    if (text_of(columns_.front()) == kDocumentStart) continue;
    read_token(labeled);
  }
  sentence.document = document_;
  return sentence.size() > 0;
}

/// Finds the columns of the line; none if it is blank.
void ColumnReader::split() {
  columns_.clear();
  const std::string_view text = line_.text();
  if (is_blank_line(text)) return;
  const bool tabs = text.find('\t') != std::string_view::npos;
  const char separator = tabs ? '\t' : ' ';
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    if (tabs || begin < end) columns_.push_back({begin, end});
    begin = end + 1;
  }
}

void ColumnReader::read_token(LabeledSentence& labeled) {
  const std::string_view token = text_of(columns_.front());
  const std::string_view label = text_of(columns_.back());
  if (token.empty()) fail("a label without a token", "a token in the first column");
  if (labeled_ && columns_.size() == 1)
    fail("one column", "a token and its label, separated by a tab");
  if (labeled_ && label.empty()) fail("a token without a label", "a label in the last column");
  if (column_count_ == 0) {
    column_count_ = columns_.size();
    counted_line_ = lines_.number();
  }
  if (columns_.size() != column_count_) {
    fail(std::to_string(columns_.size()) + " columns",
         std::to_string(column_count_) + ", as in line " + std::to_string(counted_line_));
  }
  if (token.find('\0') != std::string_view::npos) fail("a NUL in a token", "text");
  if (labeled_ && label.size() > kMaxLabelBytes) {
    fail("a label of " + std::to_string(label.size()) + " bytes",
         "no more than " + std::to_string(kMaxLabelBytes));
  }
  Sentence& sentence = labeled.sentence;
  if (sentence.size() == 0) sentence.line = lines_.number();
  sentence.begin_line(lines_.number());
  add_token(line_, columns_.front(), lines_.offset(), sentence);
  if (labeled_) labeled.labels.emplace_back(label);
}

void ColumnReader::fail(const std::string& found, const std::string& expected) const {
  throw InputError(name_ + ": line " + std::to_string(lines_.number()) + ": found " + found +
                   "; expected " + expected + " (columns); fix the file");
}

namespace {

const std::vector<std::string>& list_of(const JsonField& field, const char* name) {
  if (field.kind != JsonField::Kind::list) refuse_field(field, name, "a list of strings");
  return field.list;
}

}  // namespace

bool RecordReader::next(LabeledSentence& labeled) {
  while (lines_.next()) {
    try {
      if (lines_.too_long() || lines_.line().size() > kMaxSentenceBytes) {
        throw InputError("found more than " + std::to_string(kMaxSentenceBytes) +
                         " bytes; expected smaller records");
      }
      line_.assign(lines_.line());
      if (is_blank_line(line_.text())) continue;
      read_record(line_.text(), labeled);
      return true;
    } catch (const InputError& error) {
      leave_out_or_refuse(context_, labeled_,
                          name_ + ": line " + std::to_string(lines_.number()) + ": ", error);
      labeled.sentence.clear();
    }
  }
  return false;
}

void RecordReader::read_record(std::string_view json, LabeledSentence& labeled) {
  static const std::array<std::string, 3> names = {"tokens", "labels", "id"};
  std::vector<JsonField> fields = parse_json_fields(json, names);
  if (line_.first_repair() != RepairedText::npos) {
    take_back_repairs(parse_json_fields(line_.marked(), names).front(), fields.front());
  }
  const std::vector<std::string>& tokens = list_of(fields[0], "tokens");
  if (labeled_) list_of(fields[1], "labels");
  std::vector<std::string>& labels = fields[1].list;
  if (!labeled_) labels.clear();
  if (labeled_ && tokens.size() != labels.size()) {
    throw InputError("found " + std::to_string(tokens.size()) + " tokens and " +
                     std::to_string(labels.size()) + " labels; expected a label for each token");
  }
  for (const std::string& label : labels) check_label(label);
  const bool named = fields[2].kind != JsonField::Kind::absent;
  if (named && !fields[2].is_text()) refuse_field(fields[2], "id", "a string or a number");
  labeled.sentence.document =
      context_.begin_document(named ? fields[2].text : std::to_string(lines_.number()));
  labeled.sentence.line = lines_.number();
  add_listed_tokens(tokens, labeled.sentence);
  labeled.labels = std::move(labels);
}

namespace {

/// Reads CoNLL-U, labeled by one of its columns.
class ConlluLabels : public LabeledReader {
 public:
  ConlluLabels(ByteWindow& window, const std::string& name, ReadingContext& context,
               const std::string& column)
      : name_(name), reader_(window, name, context, column) {}

  bool next(LabeledSentence& labeled) override {
    if (!reader_.next(labeled.sentence)) return false;
    std::swap(labeled.labels, reader_.kept_values());
    const auto too_long = std::ranges::find_if(
        labeled.labels, [](const std::string& label) { return label.size() > kMaxLabelBytes; });
    if (too_long == labeled.labels.end()) return true;
    const auto token = static_cast<std::size_t>(too_long - labeled.labels.begin());
    throw InputError(name_ + ": line " + std::to_string(labeled.sentence.line_of(token)) +
                     ": found a label of " + std::to_string(too_long->size()) +
                     " bytes; expected no more than " + std::to_string(kMaxLabelBytes));
  }

 private:
  std::string name_;
  ConlluReader reader_;
};

/// The format by a file's name, with or without an extension of compression.
std::optional<LabeledFormat> format_of_name(std::string_view name) {
  name = without_compression(name);
  if (is_name_of_conllu(name)) return LabeledFormat::conllu;
  if (name.ends_with(".jsonl")) return LabeledFormat::jsonl;
  return std::nullopt;
}

/// The format by a line; nothing for a blank line or a possible comment.
std::optional<LabeledFormat> format_of_line(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return std::nullopt;
  const auto tabs = std::ranges::count(line, '\t');
  if (ConlluColumns().take(line)) return LabeledFormat::conllu;
  if (line[begin] == '#' && tabs == 0) return std::nullopt;
  if (line[begin] == '{' && tabs == 0) return LabeledFormat::jsonl;
  const bool numbered = line[begin] >= '0' && line[begin] <= '9';
  return numbered && tabs == 9 ? LabeledFormat::conllu : LabeledFormat::columns;
}

/// The format by the first line near the beginning that determines one.
LabeledFormat format_of_content(ByteWindow& window) {
  constexpr std::size_t kLookedAt = std::size_t{64} << 10;
  for (std::size_t begin = 0; begin < kLookedAt;) {
    const std::size_t end = window.find('\n', begin, kLookedAt);
    const auto format = format_of_line(window.view().substr(begin, end - begin));
    if (format) return *format;
    if (end >= window.view().size()) break;
    begin = end + 1;
  }
  return LabeledFormat::columns;
}

}  // namespace

std::vector<std::string> conllu_label_columns() { return ConlluColumns().labels(); }

bool is_name_of_conllu(std::string_view name) {
  return name.ends_with(".conllu") || name.ends_with(".conllup") || name.ends_with(".cupt");
}

std::unique_ptr<LabeledFile> open_labeled(const LabeledInput& input,
                                          std::unique_ptr<ByteSource> bytes) {
  LabeledOpening opening{input.file,
                         FormatOptions(),
                         input.stop,
                         input.labeled,
                         "found no token; expected sentences with a label for each token",
                         input.through};
  opening.format.strict = input.strict;
  opening.format.skip_bad_records = input.skip_bad_records;
  opening.format.format = InputFormat::tokens;
  const auto make_reader = [&](ByteWindow& window,
                               ReadingContext& context) -> std::unique_ptr<LabeledReader> {
    std::optional<LabeledFormat> format = input.format;
    if (!format) format = format_of_name(input.file);
    switch (format ? *format : format_of_content(window)) {
      case LabeledFormat::columns:
        return std::make_unique<ColumnReader>(window, input.file, context, input.labeled);
      case LabeledFormat::conllu:
        return std::make_unique<ConlluLabels>(window, input.file, context, input.column);
      case LabeledFormat::jsonl:
        return std::make_unique<RecordReader>(window, input.file, context, input.labeled);
    }
    return nullptr;
  };
  return std::make_unique<LabeledFile>(opening, std::move(bytes), make_reader);
}

}  // namespace elmo

#include "io/labeled/token_examples.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/text.h"
#include "io/json/json_fields.h"
#include "io/labeled/text_spans.h"
#include "io/text/formats/conllu_reader.h"
#include "io/text/formats/jsonl_reader.h"
#include "io/text/segment/characters.h"

namespace elmo {
namespace {

/// Reads columns: one token and its label per line.
class TokenColumns final : public ExampleReader {
 public:
  explicit TokenColumns(OpenedFile& file)
      : ExampleReader(file),
        document_(file.context.begin_document(file.input.file)),
        lines_(file.window) {}

  bool next(ExampleGroup& group) override {
    while (lines_.next()) {
      bytes_ += lines_.line().size();
      if (lines_.too_long() || bytes_ > kMaxSentenceBytes) {
        fail("a sentence of more than " + std::to_string(kMaxSentenceBytes) + " bytes",
             "a blank line after each sentence");
      }
      line_.assign(lines_.line());
      split();
      if (columns_.empty()) {
        bytes_ = 0;
        if (sentence_.size() > 0) break;
        continue;
      }
      if (text_of(columns_.front()) != kDocumentStart) read_token();
    }
    if (sentence_.size() == 0) return false;
    sentence_.document = document_;
    group = sentence_group(std::exchange(sentence_, {}), {}, numbers_of(labels_));
    labels_.clear();
    return true;
  }

 private:
  /// Finds the columns of the line; none if it is blank.
  void split() {
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

  void read_token() {
    const std::string_view token = text_of(columns_.front());
    const std::string_view label = text_of(columns_.back());
    if (token.empty()) fail("a label without a token", "a token in the first column");
    if (labeled() && columns_.size() == 1) {
      fail("one column", "a token and its label, separated by a tab");
    }
    if (labeled() && label.empty()) fail("a token without a label", "a label in the last column");
    if (column_count_ == 0) {
      column_count_ = columns_.size();
      counted_line_ = lines_.number();
    }
    if (columns_.size() != column_count_) {
      fail(human_count(columns_.size(), "column"),
           std::to_string(column_count_) + ", as in line " + std::to_string(counted_line_));
    }
    if (token.find('\0') != std::string_view::npos) fail("a NUL in a token", "text");
    if (labeled() && label.size() > kMaxLabelBytes) {
      fail("a label of " + std::to_string(label.size()) + " bytes",
           "no more than " + std::to_string(kMaxLabelBytes));
    }
    if (sentence_.size() == 0) sentence_.line = lines_.number();
    sentence_.begin_line(lines_.number());
    add_token(line_, columns_.front(), lines_.offset(), sentence_);
    if (labeled()) labels_.emplace_back(label);
  }

  std::string_view text_of(const TextRange& column) const {
    return line_.text().substr(column.begin, column.end - column.begin);
  }

  [[noreturn]] void fail(const std::string& found, const std::string& expected) const {
    throw InputError(in_line(lines_.number()) + "found " + found + "; expected " + expected +
                     " (columns); fix the file");
  }

  std::shared_ptr<const Document> document_;
  RecordLines lines_;
  RepairedText line_;
  std::vector<TextRange> columns_;  // columns of line_
  std::size_t column_count_ = 0;    // 0: not known yet
  std::uint64_t counted_line_ = 0;  // the line that set column_count_
  // The current sentence, as far as it has been read.
  std::size_t bytes_ = 0;
  Sentence sentence_;
  std::vector<std::string> labels_;
};

/// Reads CoNLL-U, labeled by one of its columns.
class TokenConllu final : public ExampleReader {
 public:
  explicit TokenConllu(OpenedFile& file)
      : ExampleReader(file),
        reader_({file.window, file.input.file, file.context}, file.input.column) {}

  bool next(ExampleGroup& group) override {
    Sentence sentence;
    if (!reader_.next(sentence)) return false;
    const std::vector<std::string>& labels = reader_.kept_values();
    for (std::size_t token = 0; token < labels.size(); ++token) {
      if (labels[token].size() <= kMaxLabelBytes) continue;
      throw InputError(in_line(sentence.line_of(token)) + "found a label of " +
                       std::to_string(labels[token].size()) + " bytes; expected no more than " +
                       std::to_string(kMaxLabelBytes));
    }
    group = sentence_group(std::move(sentence), {}, numbers_of(labels));
    return true;
  }

 private:
  ConlluReader reader_;
};

const std::vector<std::string>& list_of(const JsonField& field, const char* name) {
  if (field.kind != JsonField::Kind::list) refuse_field(field, name, "a list of strings");
  return field.list;
}

/// Reads {"tokens": […], "labels": […]}, and texts with spans of characters.
class TokenRecords final : public RecordReader {
 public:
  explicit TokenRecords(OpenedFile& file) : RecordReader(file, kMaxSentenceBytes) {}

  std::string note() const override {
    return has_spans_ && labeled() ? counters_.note() : std::string();
  }

 private:
  bool read(ExampleGroup& group) override {
    static const std::array<std::string, 5> names = {"tokens", "labels", "id", "text", "data"};
    std::vector<JsonField> fields = parse_json_fields(line().text(), names);
    const bool has_text = fields[3].is_text() || fields[4].kind == JsonField::Kind::other;
    if (fields[0].kind != JsonField::Kind::list && has_text) return read_spans(group);
    if (line().first_repair() != RepairedText::npos) {
      take_back_repairs(parse_json_fields(line().marked(), names).front(), fields.front());
    }
    const std::vector<std::string>& tokens = list_of(fields[0], "tokens");
    if (labeled()) {
      const std::vector<std::string>& labels = list_of(fields[1], "labels");
      if (tokens.size() != labels.size()) {
        throw InputError("found " + std::to_string(tokens.size()) + " tokens and " +
                         std::to_string(labels.size()) +
                         " labels; expected a label for each token");
      }
      for (const std::string& label : labels) check_label(label);
    }
    const bool named = !fields[2].is_absent();
    if (named && !fields[2].is_text()) refuse_field(fields[2], "id", "a string or a number");
    Sentence sentence;
    sentence.document =
        file_.context.begin_document(named ? fields[2].text : std::to_string(lines().number()));
    sentence.line = lines().number();
    add_listed_tokens(tokens, sentence);
    group = sentence_group(std::move(sentence), {}, numbers_of(fields[1].list));
    return true;
  }

  bool read_spans(ExampleGroup& group) {
    if (!std::exchange(has_spans_, true)) file_.context.segment_texts();
    for (auto& [sentence, labels] :
         read_spanned_text(file_, line().text(), lines().number(), counters_)) {
      if (sentence.size() > 0) {
        TaskRecord& record = group.records.emplace_back();
        record.texts = {group.texts.size()};
        record.labels = numbers_of(labels);
      }
      group.texts.push_back(std::move(sentence));
    }
    return !group.texts.empty();
  }

  bool has_spans_ = false;
  SpanCounters counters_;
};

}  // namespace

std::vector<std::string> conllu_label_columns() { return ConlluColumns().labels(); }

std::unique_ptr<ExampleReader> make_token_reader(OpenedFile& file) {
  if (file.input.form == TextForm::columns) return std::make_unique<TokenColumns>(file);
  if (file.input.form == TextForm::conllu) return std::make_unique<TokenConllu>(file);
  return std::make_unique<TokenRecords>(file);
}

TextForm form_of_records(const std::string& file, const std::string& text_field) {
  const std::string line = first_line_of(file);
  if (line.empty()) return TextForm::jsonl;
  const std::array<std::string, 3> names = {text_field, "tokens", "data"};
  try {
    const std::vector<JsonField> fields = parse_json_fields(line, names);
    if (!fields[0].is_absent()) return TextForm::jsonl;
    if (fields[1].kind == JsonField::Kind::list) return TextForm::token_records;
    return fields[2].kind == JsonField::Kind::other ? TextForm::data_records : TextForm::jsonl;
  } catch (const InputError&) {
    return TextForm::jsonl;  // the reader of the file reports or skips it
  }
}

}  // namespace elmo

#include "io/tasks/texts.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/json/json.h"
#include "io/json/json_fields.h"
#include "io/labeled/examples.h"
#include "io/outputs/stream_sinks.h"
#include "io/tasks/text_spans.h"
#include "io/text/formats/readers.h"
#include "io/text/segment/characters.h"

namespace elmo {
namespace {

// Indices of the fields of a JSON record, in the order of names_.
enum Field : std::size_t { kId, kLabel, kGoldLabel, kAnswer, kFirstText };

// Names of each text's field, in order of preference. The last name of each row is for tokens.
const std::vector<std::string> kOnlyText = {"text", "tokens"};
const std::vector<std::string> kPairs[] = {{"text1", "sentence1", "premise", "tokens1"},
                                           {"text2", "sentence2", "hypothesis", "tokens2"}};

// Labels of pairs that SNLI's annotators did not agree on: of the field "gold_label" as
// distributed, and the number among 0, 1 and 2 that Hugging Face exports.
constexpr std::string_view kGoldLabelName = "gold_label";
constexpr std::string_view kNoAgreement = "-";
constexpr std::string_view kNoAgreementNumber = "-1";

/// Reads records of one or two texts and their label.
class TextRecords : public RecordReader {
 public:
  TextRecords(OpenedFile& file, std::size_t texts, GoldOfLabel gold_of,
              std::string_view blanks = " \t\r", std::uint64_t first_line = 1)
      : RecordReader(file, kMaxSentenceBytes, blanks, first_line),
        texts_(texts),
        gold_of_(gold_of),
        knows_minus_one_(gold_of != gold_of_name ||
                         std::ranges::count(file.labels.names(), kNoAgreementNumber) > 0) {
    for (const std::string& label : file.labels.names()) {
      if (!knows_minus_one_) look_at(label);
    }
  }

  /// The label -1 of a pair may mean that it has none. From the first -1 on, groups wait until
  /// other labels decide that, at the latest until the end of the file.
  bool next(ExampleGroup& group) final {
    while (!ended_ && (held_.empty() || !knows_minus_one_)) {
      ended_ = !RecordReader::next(group);
      if (ended_) break;
      if (labeled() && !knows_minus_one_) look_at(label_.text);
      if (held_.empty() && (!label_.may_be_none || knows_minus_one_)) {
        number(label_, group);
        return true;
      }
      held_.push_back({std::move(group), label_});
    }
    // Now all labels are known.
    const bool is_none = !knows_minus_one_ && (numbers_.empty() || numbers_ == snli_labels());
    while (!held_.empty()) {
      const Label label = std::move(held_.front().second);
      group = std::move(held_.front().first);
      held_.pop_front();
      if (is_none && label.may_be_none) {
        ++file_.without_gold;
      } else {
        number(label, group);
        return true;
      }
    }
    return false;
  }

 protected:
  /// A label as in the file.
  struct Label {
    std::string text;
    bool may_be_none = false;  ///< -1, which is no label in SNLI's convention
  };

  std::size_t texts() const { return texts_; }

  /// Adds the tokens of `text`, valid or not, which begins at byte `offset` of its document.
  void add_words(std::string_view text, std::uint64_t offset, Sentence& sentence) {
    text_.assign(text);
    file_.context.add_sentence(text_, offset, sentence);
  }

  /// The same for a part of the current line.
  void add_field(std::string_view field, Sentence& sentence) {
    const auto offset = static_cast<std::uint64_t>(field.data() - lines().line().data());
    add_words(field, lines().offset() + offset, sentence);
  }

 private:
  static const std::set<std::string>& snli_labels() {
    static const std::set<std::string> labels = {"0", "1", "2"};
    return labels;
  }

  /// Parses the line into empty texts and the label, if labels are read. Returns false if it has no
  /// gold label.
  virtual bool read_texts(std::vector<Sentence>& texts, Label& label) = 0;

  bool read(ExampleGroup& group) final {
    group.texts.resize(texts_);
    label_ = {};
    if (!read_texts(group.texts, label_)) return false;
    if (labeled()) check_label(label_.text);
    TaskRecord record;
    bool has_words = true;
    for (Sentence& text : group.texts) {
      if (labeled() && text.size() == 0) {
        throw InputError("found a text without any word; expected words");
      }
      check_token_count("found a text", text.size());
      text.set_line(lines().number());
      has_words = has_words && text.size() > 0;
      record.texts.push_back(record.texts.size());
    }
    if (has_words) group.records.push_back(std::move(record));
    return true;
  }

  /// Finds out whether -1 is a label, because it is one already or by the numbers beside it.
  void look_at(const std::string& label) {
    if (label == kNoAgreementNumber || !number_of<double>(label)) return;
    numbers_.insert(label);
    knows_minus_one_ = !std::ranges::includes(snli_labels(), numbers_);
    if (knows_minus_one_) numbers_.clear();
  }

  void number(const Label& label, ExampleGroup& group) {
    if (!labeled()) return;
    for (TaskRecord& record : group.records) record.gold = gold_of_(label.text, file_.labels);
  }

  std::size_t texts_;
  GoldOfLabel gold_of_;
  RepairedText text_;
  Label label_;                    // of the current line
  std::set<std::string> numbers_;  // labels so far that are numbers, without -1
  bool knows_minus_one_;           // -1 is a label like any other
  std::deque<std::pair<ExampleGroup, Label>> held_;
  bool ended_ = false;
};

/// Reads rows of columns separated by TABs: of a table, or lines of texts that begin with a label
/// or not.
class TextColumns final : public TextRecords {
 public:
  /// `columns` without names are those of lines. `first_line` is the first line that is not blank;
  /// for a table it names the columns, and the window begins after it.
  TextColumns(OpenedFile& file, TableColumns columns, GoldOfLabel gold_of, std::uint64_t first_line)
      : TextRecords(file, columns.texts.size(), gold_of, blanks_of(columns),
                    columns.names.empty() ? 1 : first_line + 1),
        columns_(std::move(columns)),
        count_(is_table() ? columns_.names.size() : texts() + (columns_.label ? 1 : 0)),
        first_line_(first_line),
        earlier_labels_(static_cast<std::uint64_t>(file.labels.size())),
        document_(file.context.begin_document(file.input.file)) {}

  std::string note() const override {
    if (is_table()) {
      return "the first line names the columns; those read are " + columns_.read_names();
    }
    if (!labeled()) {
      const bool found = !columns_.label && !file_.input.label_column;
      return found ? "read as texts without labels, by its first line" : "";
    }
    const std::uint64_t lines_read = lines().number();
    if (lines_read < kMinLines) return {};
    const auto labels = static_cast<std::uint64_t>(file_.labels.size());
    if (labels - earlier_labels_ > lines_read - lines_read / kMinLines) {
      return "nearly every line has a label of its own, such as '" + excerpt(first_label_) +
             "'; expected labels before the texts; if the first line names the columns, give the "
             "names of those to read";
    }
    // Where many labels occur once, the first one says nothing.
    if (first_label_is_repeated_ || lines_read < 2 * labels) return {};
    return "the label '" + excerpt(first_label_) +
           "' occurs only in the first line; if that line names the columns, give the names of "
           "those to read";
  }

 private:
  static constexpr std::uint64_t kMinLines = 10;

  /// A line with only a TAB may be a row of a table, or a pair of empty texts.
  static std::string_view blanks_of(const TableColumns& columns) {
    const bool may_be_row = !columns.names.empty() || (columns.texts.size() == 2 && !columns.label);
    return may_be_row ? " \r" : " \t\r";
  }

  bool is_table() const { return !columns_.names.empty(); }

  bool read_texts(std::vector<Sentence>& to, Label& label) override {
    const std::vector<std::string_view> fields = split(lines().line(), '\t');
    if (fields.size() != count_) refuse_columns(fields.size());
    if (columns_.label && !read_label(fields[*columns_.label], label)) return false;
    for (std::size_t i = 0; i < to.size(); ++i) {
      to[i].document = document_;
      add_field(fields[columns_.texts[i]], to[i]);
    }
    return true;
  }

  /// Reads a label; false if `field` is not one.
  bool read_label(std::string_view field, Label& label) {
    cell_.assign(field);
    if (is_table()) {
      label.text = without_outer_blanks(cell_.text());
      label.may_be_none = texts() == 2 && label.text == kNoAgreementNumber;
      const bool gold = columns_.names[*columns_.label] == kGoldLabelName;
      return !(texts() == 2 && gold && label.text == kNoAgreement);
    }
    label.text = cell_.text();
    if (first_label_.empty()) {
      first_label_ = label.text;
    } else if (label.text == first_label_) {
      first_label_is_repeated_ = true;
    }
    return true;
  }

  [[noreturn]] void refuse_columns(std::size_t columns) const {
    const std::string found = "found " + human_count(columns, "column") + "; expected ";
    if (is_table()) throw InputError(found + std::to_string(count_) + ", as in the first line");
    const char* const expected = !columns_.label ? (texts() == 1 ? "one, a text" : "two texts")
                                 : texts() == 1  ? "two, a label and a text"
                                                 : "three, a label and two texts";
    Message message = found + expected;
    if (lines().number() == first_line_) {
      message += ", or names of columns; name those to read with " + Setting{"text_column"};
      if (columns_.label) message += " and " + Setting{"label_column"};
    }
    throw InputError(message);
  }

  TableColumns columns_;  // without names for lines
  std::size_t count_;
  std::uint64_t first_line_;
  std::uint64_t earlier_labels_;
  std::shared_ptr<const Document> document_;
  RepairedText cell_;
  std::string first_label_;
  bool first_label_is_repeated_ = false;
};

/// Reads JSON Lines.
class TextJsonLines final : public TextRecords {
 public:
  TextJsonLines(OpenedFile& file, std::size_t texts, GoldOfLabel gold_of)
      : TextRecords(file, texts, gold_of),
        names_{"id", "label", std::string(kGoldLabelName), "answer"} {
    for (std::size_t i = 0; i < texts; ++i) {
      const std::vector<std::string>& names = texts == 1 ? kOnlyText : kPairs[i];
      names_.insert(names_.end(), names.begin(), names.end());
    }
  }

 private:
  // Returns false for a record without a gold label.
  bool read_label(const std::vector<JsonField>& fields, Label& to) const {
    if (is_rejected(fields[kAnswer].text)) return false;
    const bool gold = texts() == 2 && fields[kLabel].is_absent() && !fields[kGoldLabel].is_absent();
    const JsonField& label = fields[gold ? kGoldLabel : kLabel];
    if (label.kind == JsonField::Kind::list && label.list.size() == 1) {
      to.text = label.list.front();
      return true;
    }
    if (!label.is_text()) refuse_field(label, "label", "a string or a number");
    to.text = label.text;
    to.may_be_none =
        texts() == 2 && label.kind == JsonField::Kind::number && label.text == kNoAgreementNumber;
    return !gold || label.text != kNoAgreement;
  }

  bool read_texts(std::vector<Sentence>& to, Label& label) override {
    std::vector<JsonField> fields = parse_json_fields(line().text(), names_);
    if (line().first_repair() != RepairedText::npos) {
      const std::vector<JsonField> marked = parse_json_fields(line().marked(), names_);
      for (std::size_t i = kFirstText; i < fields.size(); ++i) {
        take_back_repairs(marked[i], fields[i]);
      }
    }
    if (labeled() && !read_label(fields, label)) return false;

    const auto document = begin_document(fields[kId]);
    const std::size_t choices = (fields.size() - kFirstText) / texts();
    for (std::size_t i = 0; i < texts(); ++i) {
      std::size_t chosen = kFirstText + i * choices;
      const std::string& first_name = names_[chosen];
      const std::size_t of_tokens = chosen + choices - 1;
      while (chosen < of_tokens && fields[chosen].is_absent()) ++chosen;
      const JsonField& field = fields[chosen];
      const bool listed = chosen == of_tokens;
      if (listed && field.is_absent()) {
        refuse_field(field, first_name, "a text, or a list in a field '" + names_[of_tokens] + "'");
      }
      if (listed ? field.kind != JsonField::Kind::list : !field.is_text()) {
        refuse_field(field, names_[chosen], listed ? "a list of tokens" : "a string");
      }
      to[i].document = document;
      if (listed) {
        add_listed_tokens(field.list, to[i]);
      } else {
        add_words(field.text, 0, to[i]);
      }
    }
    return true;
  }

  std::vector<std::string> names_;  // names of fields
};

std::unique_ptr<ExampleReader> reader_of_columns(OpenedFile& file, std::size_t texts,
                                                 GoldOfLabel gold_of) {
  const ExampleInput& input = file.input;
  constexpr std::size_t kMaxNames = std::size_t{1} << 20;
  const FirstLine first = peek_first_line(file.window, kMaxNames);
  try {
    if (auto columns = table_columns(first.text.text(), texts, input.labeled, input.table)) {
      file.window.consume(first.size);
      return std::make_unique<TextColumns>(file, *std::move(columns), gold_of, first.number);
    }
  } catch (const InputError& error) {
    throw InputError(in_line(first.number) + error.message());
  }
  const auto tabs = static_cast<std::size_t>(std::ranges::count(first.text.text(), '\t'));
  const bool has_label = input.labeled || is_blank_line(first.text.text()) || tabs + 1 != texts;
  TableColumns columns;
  if (input.label_column.value_or(has_label)) columns.label = 0;
  for (std::size_t i = 0; i < texts; ++i) columns.texts.push_back(i + (columns.label ? 1 : 0));
  return std::make_unique<TextColumns>(file, std::move(columns), gold_of, first.number);
}

class TextWriter final : public PredictionWriter {
 public:
  explicit TextWriter(const WriterOptions& options)
      : format_(options.format), labels_(options.labels) {
    if (format_ == PredictionFormat::conllu) {
      throw RequestError(
          "the model labels texts, and the format conllu holds labels of tokens only");
    }
  }

  std::string text_of(const ExampleGroup& group, TaskPredictions predictions) override {
    const LabelPrediction none;
    const LabelPrediction& prediction =
        predictions.empty() ? none : predictions.front()->as<LabelPrediction>();
    ++number_;
    return format_ == PredictionFormat::jsonl ? record(group.texts, prediction)
                                              : columns(group.texts, prediction);
  }

 private:
  std::string columns(const std::vector<Sentence>& texts, const LabelPrediction& prediction) const {
    if (prediction.labels.empty()) return "\n";
    std::string line = column_text(labels_[prediction.labels.front()]);
    for (const Sentence& text : texts)
      line.append("\t").append(column_text(std::string(text.text())));
    return line + '\n';
  }

  std::string record(const std::vector<Sentence>& texts, const LabelPrediction& prediction) const {
    std::string json;
    begin_record(json, texts.front().document->id, number_ - 1, texts.front().line);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::string number = texts.size() == 1 ? "" : std::to_string(i + 1);
      append_tokens(json, texts[i], "tokens" + number);
      append_spans(json, texts[i], "spans" + number);
    }
    const bool known = !prediction.labels.empty();
    json += R"(, "label": )" + (known ? json_text(labels_[prediction.labels.front()]) : "null");
    json += R"(, "score": )" + (known ? json_number(prediction.scores.front()) : "null");
    return json + "}\n";
  }

  PredictionFormat format_;
  LabelSet labels_;
  std::uint64_t number_ = 0;  // of examples
};

constexpr const char* kNoText = "found no text; expected texts with a label each";
constexpr std::array<std::string_view, 2> kTableNames{".tsv", ".csv"};

std::unique_ptr<PredictionWriter> text_writer(const WriterOptions& options) {
  check_labels_format(options.format);
  return std::make_unique<TextWriter>(options);
}

}  // namespace

std::shared_ptr<const TaskGold> gold_of_name(const std::string& label, LabelSet& labels) {
  return std::make_shared<LabelGold>(std::vector{labels.add(label)});
}

std::unique_ptr<ExampleReader> make_text_reader(OpenedFile& file, std::size_t texts,
                                                GoldOfLabel gold_of) {
  if (file.input.form != TextForm::jsonl) return reader_of_columns(file, texts, gold_of);
  if (file.input.table.given()) {
    throw RequestError(file.input.file + ": found JSON Lines; names of columns are for tables");
  }
  return std::make_unique<TextJsonLines>(file, texts, gold_of);
}

LabeledKind labeled_texts() {
  return {.task = classify_kind(),
          .format = {kNoText, kNoText, [](OpenedFile& file) { return make_text_reader(file, 1); },
                     kTableNames},
          .forms = {{.form = TextForm::text, .tokenizer = true},
                    {.form = TextForm::tokens},
                    {.form = TextForm::jsonl, .tokenizer = true, .fields = true, .records = true},
                    {.form = TextForm::token_records, .as_labeled = true, .records = true},
                    {.form = TextForm::conllu},
                    {.form = TextForm::columns,
                     .as_labeled = true,
                     .tokenizer = true,
                     .table = true,
                     .records = true}},
          .examples_of = examples_of_sentences,
          .writer = text_writer};
}

LabeledKind labeled_pairs() {
  return {
      .task = pair_kind(),
      .format = {kNoText, kNoText, [](OpenedFile& file) { return make_text_reader(file, 2); },
                 kTableNames},
      .forms = {{.form = TextForm::text, .as_labeled = true, .tokenizer = true, .records = true},
                {.form = TextForm::jsonl, .as_labeled = true, .tokenizer = true, .records = true},
                {.form = TextForm::columns,
                 .as_labeled = true,
                 .tokenizer = true,
                 .table = true,
                 .records = true}},
      .writer = text_writer};
}

}  // namespace elmo

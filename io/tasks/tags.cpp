// Sentences with a label for each token, in files of common formats.
//
// - columns (CoNLL): one token per line, a blank line after each sentence. Columns are separated by
//   TABs, or by spaces in a line without any TAB. The first is the token, the last the label, and
//   all lines of a file have the same number of columns: two, or more as in CoNLL-2003. Lines
//   `-DOCSTART-` are skipped. Each file is a document, and spans refer to it.
// - conllu: see text_source.h, labeled by one of the columns of CoNLL-U or CoNLL-U Plus. A sentence
//   without words remains as an empty sentence.
// - jsonl: one record per line, {"tokens": […], "labels": […]}; blank lines are skipped. Each
//   record is a document, named by its field "id" or else its line; spans refer to its tokens
//   joined by spaces. A record with a text instead of tokens has spans of characters as labels, see
//   text_spans.h; its sentences are a group, and spans of tokens refer to the text.
//
// If labels are ignored, columns may be tokens alone, records need no "labels", and a file may have
// no token.
//
// Predictions:
// - columns: one line per token, with a TAB between token and label, then a blank line;
// - conllu: ten columns, then a blank line;
// - jsonl: {"document", "sentence", "line", "tokens", "spans", "labels", "scores"}, with each
//   label's probability in "scores". Labels of a span scheme add "entities": [{"type", "begin",
//   "end", "span", "score"}], with tokens begin … end − 1, their bytes, and the minimum
//   probability of their labels.
#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "core/error.h"
#include "core/tasks/common/spans.h"
#include "io/json/json.h"
#include "io/json/json_fields.h"
#include "io/labeled/examples.h"
#include "io/outputs/stream_sinks.h"
#include "io/tasks/kinds.h"
#include "io/tasks/text_spans.h"
#include "io/text/formats/conllu_reader.h"
#include "io/text/formats/readers.h"

namespace elmo {
namespace {

/// Reads columns: one token and its label per line.
class TokenColumns final : public ExampleReader {
 public:
  explicit TokenColumns(OpenedFile& file)
      : ExampleReader(file),
        document_(file.context.begin_document(file.input.file)),
        lines_(file, ColumnSeparator::tabs) {}

  bool next(ExampleGroup& group) override {
    bool ended = false;
    while (!ended && lines_.next()) {
      ended = name_line(lines_, " (columns); fix the file", [&] { return read_line(); });
    }
    if (sentence_.size() == 0) return false;
    sentence_.document = document_;
    group = sentence_group(std::exchange(sentence_, {}), label_gold(std::exchange(labels_, {})));
    return true;
  }

 private:
  /// Returns true if the line ends a sentence.
  bool read_line() {
    if (lines_.exceeds(kMaxSentenceBytes)) {
      refuse("a sentence of more than " + std::to_string(kMaxSentenceBytes) + " bytes",
             "a blank line after each sentence");
    }
    if (lines_.count() == 0) {
      lines_.begin_unit();
      return sentence_.size() > 0;
    }
    if (lines_[0] != kDocumentStart) read_token();
    return false;
  }

  void read_token() {
    const std::string_view token = lines_[0];
    const std::string_view label = lines_[lines_.count() - 1];
    if (token.empty()) refuse("a label without a token", "a token in the first column");
    if (labeled() && lines_.count() == 1) {
      refuse("one column", "a token and its label, separated by a tab");
    }
    if (labeled() && label.empty()) refuse("a token without a label", "a label in the last column");
    if (column_count_ == 0) {
      column_count_ = lines_.count();
      counted_line_ = lines_.number();
    }
    if (lines_.count() != column_count_) {
      refuse(human_count(lines_.count(), "column"),
             std::to_string(column_count_) + ", as in line " + std::to_string(counted_line_));
    }
    check_token(token);
    if (labeled()) check_label(label);
    lines_.add_token(0, sentence_);
    if (labeled()) labels_.emplace_back(label);
  }

  std::shared_ptr<const Document> document_;
  ColumnLines lines_;
  std::size_t column_count_ = 0;    // 0: not known yet
  std::uint64_t counted_line_ = 0;  // the line that set column_count_
  // The current sentence, as far as it has been read.
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
      try {
        check_label(labels[token]);
      } catch (const InputError& error) {
        throw InputError(in_line(sentence.line_of(token)) + error.what());
      }
    }
    group = sentence_group(std::move(sentence), label_gold(labels));
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
    Sentence sentence;
    sentence.document = begin_document(fields[2]);
    sentence.line = lines().number();
    add_listed_tokens(tokens, sentence);
    group = sentence_group(std::move(sentence), label_gold(fields[1].list));
    return true;
  }

  bool read_spans(ExampleGroup& group) {
    if (!std::exchange(has_spans_, true)) file_.context.segment_texts();
    for (auto& [sentence, labels] :
         read_spanned_text(file_, line().text(), lines().number(), counters_)) {
      if (sentence.size() > 0) {
        TaskRecord& record = group.records.emplace_back();
        record.texts = {group.texts.size()};
        record.gold = label_gold(labels);
      }
      group.texts.push_back(std::move(sentence));
    }
    return !group.texts.empty();
  }

  bool has_spans_ = false;
  SpanCounters counters_;
};

constexpr std::size_t kConlluColumns = 10;
constexpr std::size_t kFormColumn = 2;

class TagWriter final : public PredictionWriter {
 public:
  explicit TagWriter(const WriterOptions& options)
      : format_(options.format),
        labels_(options.labels),
        column_(options.column),
        spans_(span_scheme(options.labels).has_value()) {}

  std::string text_of(const ExampleGroup& group, TaskPredictions predictions) override {
    const LabelPrediction none;
    const LabelPrediction& prediction =
        predictions.empty() ? none : predictions.front()->as<LabelPrediction>();
    const Sentence& sentence = group.texts.front();
    ++number_;
    return format_ == PredictionFormat::jsonl ? record(sentence, prediction)
                                              : columns(sentence, prediction);
  }

 private:
  std::string columns(const Sentence& sentence, const LabelPrediction& prediction) const {
    std::string text;
    for (std::size_t token = 0; token < sentence.size(); ++token) {
      const std::string label = column_text(labels_[prediction.labels[token]]);
      const std::string form = column_text(std::string(sentence.token(token)));
      if (format_ == PredictionFormat::columns) {
        text.append(form).append("\t").append(label).append("\n");
        continue;
      }
      text += std::to_string(token + 1);
      for (std::size_t column = 2; column <= kConlluColumns; ++column) {
        text += '\t';
        if (column == kFormColumn) {
          text += form;
        } else {
          text += column == column_ ? label : "_";
        }
      }
      text += '\n';
    }
    return text + '\n';
  }

  std::string record(const Sentence& sentence, const LabelPrediction& prediction) const {
    std::string json;
    append_sentence(json, sentence, number_ - 1);
    append_spans(json, sentence);
    const std::vector<std::string> names = labels_.names_of(prediction.labels);
    json += R"(, "labels": )" +
            json_list_text(names, [](const std::string& label) { return json_text(label); });
    json += R"(, "scores": )" +
            json_list_text(prediction.scores, [](float score) { return json_number(score); });
    if (spans_) {
      json += R"(, "entities": )" + json_list_text(spans_of(names), [&](const LabelSpan& span) {
                const float score = *std::min_element(
                    prediction.scores.begin() + static_cast<std::ptrdiff_t>(span.begin),
                    prediction.scores.begin() + static_cast<std::ptrdiff_t>(span.end));
                return R"({"type": )" + json_text(span.type) + R"(, "begin": )" +
                       json_number(span.begin) + R"(, "end": )" + json_number(span.end) +
                       R"(, "span": [)" + json_number(sentence.spans()[span.begin].begin) + ", " +
                       json_number(sentence.spans()[span.end - 1].end) + R"(], "score": )" +
                       json_number(score) + "}";
              });
    }
    return json + "}\n";
  }

  PredictionFormat format_;
  LabelSet labels_;
  std::size_t column_;
  bool spans_;
  std::uint64_t number_ = 0;  // of examples
};

constexpr const char* kNoToken = "found no token; expected sentences with a label for each token";

constexpr std::array<std::string_view, 6> kTagNames{".conll", ".iob",   ".iob2",
                                                    ".bio",   ".bioes", ".tsv"};

std::unique_ptr<ExampleReader> tag_reader(OpenedFile& file) {
  if (file.input.form == TextForm::columns) return std::make_unique<TokenColumns>(file);
  if (file.input.form == TextForm::conllu) return std::make_unique<TokenConllu>(file);
  return std::make_unique<TokenRecords>(file);
}

std::unique_ptr<PredictionWriter> tag_writer(const WriterOptions& options) {
  check_labels_format(options.format);
  return std::make_unique<TagWriter>(options);
}

}  // namespace

LabeledKind labeled_tags() {
  return {.task = tag_kind(),
          .format = {kNoToken, kNoToken, tag_reader, kTagNames,
                     [](std::string_view line) { return line.starts_with(kDocumentStart); }},
          .forms = {{.form = TextForm::text, .lines = true, .tokenizer = true},
                    {.form = TextForm::tokens},
                    {.form = TextForm::jsonl,
                     .lines = true,
                     .tokenizer = true,
                     .fields = true,
                     .records = true},
                    {.form = TextForm::token_records, .as_labeled = true, .records = true},
                    {.form = TextForm::data_records,
                     .as_labeled = true,
                     .tokenizer = true,
                     .records = true},
                    {.form = TextForm::conllu},
                    {.form = TextForm::columns, .as_labeled = true}},
          .examples_of = examples_of_sentences,
          .writer = tag_writer};
}

}  // namespace elmo

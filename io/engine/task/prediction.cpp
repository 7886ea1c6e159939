#include "io/engine/task/prediction.h"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/human.h"
#include "core/inference/sentence.h"
#include "core/tasks/common/task_kind.h"
#include "core/tasks/kinds.h"
#include "io/engine/task/request.h"
#include "io/files/descriptor.h"
#include "io/files/stream.h"
#include "io/labeled/examples.h"
#include "io/labeled/filled_lines.h"
#include "io/labeled/kinds.h"
#include "io/labeled/text_examples.h"
#include "io/text/formats/conllu_reader.h"
#include "io/text/input/input_files.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

/// Returns the number of a column of CoNLL-U, from 1; 0 if only CoNLL-U Plus may have it.
std::size_t column_number(const std::string& name) {
  const std::optional<std::size_t> column = ConlluColumns().find_labels(name);
  return column ? *column + 1 : 0;
}

/// The forms in which an option has an effect, by kind of task, as letters of kFormLetters. The row
/// of --input-format has the forms that each kind reads. --strict always has an effect, and
/// --column depends only on the output.
struct FormsRow {
  std::string_view option;
  std::array<std::string_view, 6> kinds;  // in the order of task_kinds()
};

constexpr std::string_view kForm = "--input-format";
constexpr std::string_view kColumn = "--column";

// r: jsonl whose records hold tokens.
constexpr std::array kFormRows = {
    // tag, classify, pair, qa, srl, coref
    FormsRow{kForm, {"tkjruc", "tkjruc", "tjc", "j", "tkjuc", "tkjuc"}},
    FormsRow{"--lines", {"tj", "", "", "", "t", "t"}},
    FormsRow{"--tokenizer", {"tj", "tjc", "tjc", "j", "t", "tj"}},
    FormsRow{"--locale", {"tj", "tjc", "tjc", "j", "t", "tj"}},
    FormsRow{"--text-field", {"j", "j", "", "", "", ""}},
    FormsRow{"--id-field", {"j", "j", "", "", "", ""}},
    FormsRow{"--skip-bad-records", {"jr", "jrc", "tjc", "j", "j", "j"}},
};

constexpr std::array<std::pair<char, std::string_view>, 6> kFormLetters = {{{'t', "text"},
                                                                            {'k', "tokens"},
                                                                            {'j', "jsonl"},
                                                                            {'r', "jsonl"},
                                                                            {'u', "conllu"},
                                                                            {'c', "columns"}}};

/// Returns the names of forms, such as "text, jsonl or columns".
std::string names_of_forms(std::string_view letters) {
  std::vector<std::string_view> names;
  for (const auto& [letter, name] : kFormLetters) {
    if (letters.find(letter) == std::string_view::npos) continue;
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

/// Joins files that are written one after another: a blank line ends each file before the next one,
/// and only the first keeps its byte order mark. One file alone is unchanged.
class JoinedFiles {
 public:
  void next_file() { begins_ = true; }

  /// Returns the next text of the current file as it is to be written.
  std::string next(std::string text) {
    if (text.empty()) return text;
    const bool first = end_.empty();
    if (std::exchange(begins_, false) && !first) {
      if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
      const bool blank = end_.ends_with("\n\n") || end_.ends_with("\n\r\n");
      text.insert(0, blank ? "" : end_.ends_with('\n') ? "\n" : "\n\n");
    }
    constexpr std::size_t kEnd = 3;
    end_ += text.substr(text.size() - std::min(kEnd, text.size()));
    end_.erase(0, end_.size() - std::min(kEnd, end_.size()));
    return text;
  }

 private:
  bool begins_ = true;
  std::string end_;  // of what has been written
};

/// A model and the files to predict. One thread.
class PredictionRun {
 public:
  PredictionRun(const PredictionRequest& request, RunListener& listener, Stream output)
      : request_(request),
        listener_(listener),
        predictor_(request),
        tokenizer_(task_tokenizer(request.input.request, predictor_.description())),
        kind_(predictor_.description().options.kind),
        shape_(task_kind(kind_).shape),
        form_(request.form ? *request.form : form_by_name()),
        tokens_given_(form_ == TextForm::jsonl && !shape_.records && shape_.texts == 1 &&
                      records_hold_tokens()),
        format_(request.format ? *request.format : format_of_form()),
        writer_(prediction_writer(
            kind_, {format_, predictor_.description().labels, column_number(request.column)})),
        output_(std::move(output)) {
    if (const std::optional<std::string> forms = missing_for(kForm)) {
      throw RequestError(std::string(kForm) + " " + std::string(kTextForms.word(form_)) +
                         ": a model of the kind " + task_kind(kind_).name +
                         " cannot read it; expected " + *forms);
    }
    if (format_ == PredictionFormat::conllu && !fills() && column_number(request.column) == 0) {
      throw RequestError("--column " + request.column + ": CoNLL-U has no such column of labels");
    }
    check_options();
  }

  void run() {
    const bool columns = form_ == TextForm::columns;
    if (shape_.records) {
      is_text() ? predict_input() : predict_records();
    } else if (shape_.texts == 2 || (!shape_.token_labels && columns)) {
      predict_records();
    } else if (columns || fills()) {
      predict_tokens(columns ? LabeledFormat::columns : LabeledFormat::conllu);
    } else if (tokens_given_) {
      listener_.note("read as records of tokens, by the first one");
      shape_.token_labels ? predict_tokens(LabeledFormat::jsonl) : predict_records();
    } else {
      predict_input();
    }
    note_count(listener_, counters_.invalid_sequences, "invalid UTF-8 sequence", "read as U+FFFD");
    note_count(listener_, counters_.malformed, "malformed record", "left out");
    output_.write(writer_->end());
    output_.flush();
  }

 private:
  using TextOf = std::function<std::string(const ExampleGroup&, std::span<const TaskPrediction>)>;

  /// Throws RequestError for a reading option that has no effect here.
  void check_options() const {
    std::vector<std::string_view> options = {kColumn};
    for (const FormsRow& row : kFormRows) options.push_back(row.option);
    for (const std::string_view option : options) {
      const std::optional<std::string> missing = missing_for(option);
      check_rules(request_.given, {{std::string(option), !missing, missing.value_or("")}});
    }
  }

  /// Returns what an option requires to have an effect, such as "--input-format text"; nothing if
  /// it has one here.
  std::optional<std::string> missing_for(std::string_view option) const {
    if (option == kColumn) {
      if (format_ == PredictionFormat::conllu) return std::nullopt;
      return shape_.token_labels ? "--format conllu" : "models that label tokens";
    }
    const auto row = std::ranges::find(kFormRows, option, &FormsRow::option);
    const std::size_t kind = static_cast<std::size_t>(kind_);
    const std::string_view forms = row->kinds[kind];
    const auto letter = std::ranges::find(kFormLetters, kTextForms.word(form_),
                                          &std::pair<char, std::string_view>::second);
    if (forms.find(tokens_given_ ? 'r' : letter->first) != std::string_view::npos) {
      return std::nullopt;
    }
    if (option == kForm) return names_of_forms(forms);
    if (tokens_given_ && forms.find(letter->first) != std::string_view::npos) {
      return "records of text, and the first one holds tokens";
    }
    if (!forms.empty()) return "--input-format " + names_of_forms(forms);
    return "models of the kinds " + names_of_kinds([row](const TaskKindEntry& one) {
             return !row->kinds[static_cast<std::size_t>(one.kind)].empty();
           });
  }

  /// Returns the form by the names of the files, which must all agree.
  TextForm form_by_name() const {
    std::optional<TextForm> form;
    std::string first;
    for (const InputFile& file : list_input_files(request_.input.files)) {
      const TextForm found =
          shape_.records ? form_of_records(file.path) : form_of_file(file.path, shape_);
      if (form && *form != found) {
        throw RequestError(first + " is " + std::string(kTextForms.word(*form)) + " and " +
                           file.path + " " + std::string(kTextForms.word(found)) +
                           " by their names; label them one by one, or give --input-format");
      }
      if (!form) first = file.path;
      form = found;
    }
    if (!reads_text(kind_)) return TextForm::jsonl;
    if (*form != TextForm::text) {
      listener_.note(first + ": read as " + std::string(kTextForms.word(*form)) +
                     ", by its name; --input-format decides otherwise");
    }
    return *form;
  }

  InputOptions input() const {
    InputOptions input = request_.input;
    input.tokenizer = tokenizer_;
    const InputFormat of_columns = shape_.token_labels ? InputFormat::tokens : InputFormat::text;
    input.format = kInputFormats.find(kTextForms.word(form_)).value_or(of_columns);
    return input;
  }

  PredictionFormat format_of_form() const {
    if (shape_.records) return PredictionFormat::jsonl;
    if (form_ == TextForm::jsonl) return PredictionFormat::jsonl;
    const bool conllu = form_ == TextForm::conllu && shape_.token_labels;
    return conllu ? PredictionFormat::conllu : PredictionFormat::columns;
  }

  /// Returns whether the output is the input with labels filled in.
  bool fills() const {
    if (form_ == TextForm::conllu) return format_ == PredictionFormat::conllu;
    return form_ == TextForm::columns && format_ == PredictionFormat::columns;
  }

  bool records_hold_tokens() const {
    const InputFile first = list_input_files(request_.input.files).front();
    return holds_token_records(first.path, request_.input.text_field);
  }

  void add(const ExampleCounters& counters) {
    counters_.malformed += counters.malformed;
    counters_.invalid_sequences += counters.invalid_sequences;
  }

  /// Predicts the examples of `source` and writes the output as they arrive.
  void predict(ExampleSource& source, const TextOf& text_of) {
    predictor_.run(
        source,
        [&](const ExampleGroup& group, std::span<const TaskPrediction> predictions) {
          output_.write(text_of(group, predictions));
        },
        [&] { output_.flush(); });
    output_.flush();
  }

  void predict(ExampleSource& source) {
    predict(source, [&](const ExampleGroup& group, std::span<const TaskPrediction> predictions) {
      return name_errors(source.name(), [&] { return writer_->text_of(group, predictions); });
    });
  }

  void predict(SentenceSource& source) { predict(*examples_of_text(source, kind_)); }

  /// Returns how to read a file of examples whose labels are ignored.
  ExampleInput example_input(const std::string& file) const {
    ExampleInput input;
    input.file = file;
    input.column = request_.column;
    input.label_column = reads_labels(file);
    input.tokenizer = tokenizer_;
    input.labeled = false;
    input.strict = request_.input.strict;
    input.skip_bad_records = request_.input.skip_bad_records;
    input.stop = &predictor_.stopping();
    return input;
  }

  /// Predicts examples of files in their training form.
  void predict_records() {
    for (const InputFile& file : list_input_files(request_.input.files)) {
      LabelSet labels(predictor_.description().labels);
      const auto source = open_examples(example_input(file.path), kind_, labels);
      predict(*source);
      add(source->counters());
    }
  }

  void note_cut(std::uint64_t sentences, const char* what) const {
    note_count(listener_, sentences, what,
               "of more than " + human_count(kDefaultMaxSentenceTokens, "token") +
                   ", cut into pieces that are labeled each");
  }

  /// Predicts sentences, or texts of one sentence each, as all commands read them.
  void predict_input() {
    InputOptions options = input();
    if (!shape_.records && !shape_.token_labels) {
      options.lines = options.format == InputFormat::text;
      options.whole_records = options.format == InputFormat::jsonl;
    }
    options.max_sentence_tokens = kDefaultMaxSentenceTokens;
    const std::unique_ptr<TextSource> sentences =
        open_source(options, {.stop = &predictor_.stopping()});
    predict(*sentences);
    note_cut(sentences->cut_sentences(),
             options.whole_records || options.lines ? "text" : "sentence");
    note_input(listener_, sentences->counters());
  }

  /// Predicts sentences of files in the training forms of token labels.
  void predict_tokens(LabeledFormat format) {
    for (const InputFile& file : list_input_files(request_.input.files)) {
      LabelSet labels(predictor_.description().labels);
      joined_.next_file();
      ExampleInput input = example_input(file.path);
      input.format = format;
      FilledLines lines(format, request_.column);
      if (fills()) {
        input.through = [&](std::unique_ptr<ByteSource> bytes) {
          return lines.keep(std::move(bytes));
        };
      }
      const auto source = open_examples(input, kind_, labels);
      ExampleTexts sentences(*source);
      SentenceCutter cutter(sentences, kDefaultMaxSentenceTokens);
      if (!fills()) {
        predict(cutter);
      } else {
        predict(*examples_of_text(cutter, kind_),
                [&](const ExampleGroup&, std::span<const TaskPrediction> predictions) {
                  if (predictions.empty()) return std::string();
                  return joined_.next(lines.fill(labels.names_of(predictions.front().labels)));
                });
        output_.write(joined_.next(lines.rest()));
        output_.flush();
      }
      note_cut(cutter.cut_sentences(), "sentence");
      add(source->counters());
    }
  }

  /// Returns whether lines of a file begin with a label, which is skipped.
  bool reads_labels(const std::string& file) const {
    if (shape_.records || shape_.token_labels || form_ != TextForm::columns) return false;
    if (request_.form || !lacks_label(file, shape_)) return true;
    listener_.note(file + ": read as texts without labels, by its first line");
    return false;
  }

  bool is_text() const {
    return form_ == TextForm::text || form_ == TextForm::tokens || form_ == TextForm::conllu;
  }

  const PredictionRequest& request_;
  RunListener& listener_;
  Predictor predictor_;
  TokenizerSettings tokenizer_;
  TaskKind kind_;
  ExampleShape shape_;
  TextForm form_;
  bool tokens_given_;  // records hold tokens
  PredictionFormat format_;
  std::unique_ptr<PredictionWriter> writer_;
  JoinedFiles joined_;  // with labels filled in
  BufferedOutput output_;
  ExampleCounters counters_;
};

}  // namespace

void predict_files(const PredictionRequest& request, RunListener& listener, Stream output) {
  PredictionRun(request, listener, std::move(output)).run();
}

}  // namespace elmo

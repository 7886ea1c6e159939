#include "cli/run/task/prediction_run.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/numbers/human.h"
#include "cli/process/signals.h"
#include "cli/run/embed_input.h"
#include "cli/run/input_notes.h"
#include "core/error.h"
#include "core/inference/sentence_cutter.h"
#include "core/tasks/kinds.h"
#include "io/labelled/texts/labelled_texts.h"
#include "io/labelled/tokens/filled_lines.h"
#include "io/text/formats/conllu_reader.h"
#include "io/text/source/input_files.h"

namespace elmo {
namespace {

/// The number of a column of CoNLL-U, from 1; 0 where CoNLL-U Plus alone may have it.
std::size_t column_number(const std::string& name) {
  const std::optional<std::size_t> column = ConlluColumns().find_labels(name);
  return column ? *column + 1 : 0;
}

}  // namespace

PredictionRun::PredictionRun(const PredictionRequest& request, RunListener& listener, Stream output)
    : request_(request),
      listener_(listener),
      predictor_(request.predictor),
      files_(task_file_kind(predictor_.description().options.kind)),
      shape_(task_kind(files_.kind).shape),
      form_(request.form ? *request.form : form_by_name()),
      format_(request.format ? *request.format : format_of_form()),
      writer_(
          files_.writer({format_, predictor_.description().labels, column_number(request.column)})),
      output_(std::move(output)) {
  if (!files_.records && !shape_.token_labels && request.input.lines) {
    throw RequestError("--lines: the model labels texts, which are lines or records");
  }
  if (format_ == PredictionFormat::conllu && !fills() && column_number(request.column) == 0) {
    throw RequestError("--column " + request.column + ": CoNLL-U has no such column of labels");
  }
}

void PredictionRun::run() {
  if (files_.records) {
    is_text() ? predict_input() : predict_records();
  } else if (shape_.texts == 2) {
    predict_pairs();
  } else if (!shape_.token_labels && form_ == TextForm::columns) {
    predict_texts();
  } else if (form_ == TextForm::columns || fills()) {
    predict_tokens(form_ == TextForm::columns ? LabelledFormat::columns : LabelledFormat::conllu);
  } else if (form_ == TextForm::jsonl && records_hold_tokens()) {
    listener_.note("read as records of tokens, by the first one");
    shape_.token_labels ? predict_tokens(LabelledFormat::jsonl) : predict_texts();
  } else {
    predict_input();
  }
  output_.write(writer_->end());
  output_.flush();
}

/// The form that the names of all files tell.
TextForm PredictionRun::form_by_name() const {
  std::optional<TextForm> form;
  std::string first;
  for (const InputFile& file : list_input_files(request_.input.files)) {
    const TextForm found =
        files_.records ? form_of_records(file.path) : form_of_file(file.path, shape_);
    if (form && *form != found) {
      throw RequestError(first + " is " + std::string(kTextForms.word(*form)) + " and " +
                         file.path + " " + std::string(kTextForms.word(found)) +
                         " by their names; label them one by one, or give --input-format");
    }
    if (!form) first = file.path;
    form = found;
  }
  if (files_.records && files_.of_text == nullptr) return TextForm::jsonl;
  if (*form != TextForm::text) {
    listener_.note(first + ": read as " + std::string(kTextForms.word(*form)) +
                   ", by its name; --input-format decides otherwise");
  }
  return *form;
}

InputOptions PredictionRun::input() const {
  InputOptions input = request_.input;
  switch (form_) {
    case TextForm::text:
      input.format = InputFormat::text;
      break;
    case TextForm::tokens:
      input.format = InputFormat::tokens;
      break;
    case TextForm::jsonl:
      input.format = InputFormat::jsonl;
      break;
    case TextForm::conllu:
      input.format = InputFormat::conllu;
      break;
    case TextForm::columns:
      input.format = shape_.token_labels ? InputFormat::tokens : InputFormat::text;
      break;
  }
  return input;
}

/// RequestError for options that labeled files are not read with.
void PredictionRun::refuse_options_of_records() const {
  const InputOptions& options = request_.input;
  const InputOptions usual;
  if (options.skip_bad_records || options.text_field != usual.text_field ||
      options.id_field != usual.id_field) {
    throw RequestError(
        "--text-field, --id-field and --skip-bad-records are not for pairs of texts, nor for "
        "records of tokens");
  }
}

PredictionFormat PredictionRun::format_of_form() const {
  if (files_.records) return PredictionFormat::jsonl;
  if (form_ == TextForm::jsonl) return PredictionFormat::jsonl;
  const bool conllu = form_ == TextForm::conllu && shape_.token_labels;
  return conllu ? PredictionFormat::conllu : PredictionFormat::columns;
}

/// Whether the output is the input with labels filled in.
bool PredictionRun::fills() const {
  if (form_ == TextForm::conllu) return format_ == PredictionFormat::conllu;
  return form_ == TextForm::columns && format_ == PredictionFormat::columns;
}

bool PredictionRun::records_hold_tokens() const {
  const InputFile first = list_input_files(request_.input.files).front();
  return holds_token_records(first.path, request_.input.text_field);
}

/// Predicts what `source` gives; the output is written as it comes.
void PredictionRun::predict(ExampleSource& source, const TextOf& text_of) {
  predictor_.run(
      source,
      [&](const ExampleGroup& group, std::span<const TaskPrediction> predictions) {
        output_.write(text_of(group, predictions));
      },
      [&] { output_.flush(); });
  output_.flush();
}

void PredictionRun::predict(ExampleSource& source) {
  predict(source, [this](const ExampleGroup& group, std::span<const TaskPrediction> predictions) {
    return writer_->text_of(group, predictions);
  });
}

std::unique_ptr<ExampleSource> PredictionRun::examples_of(SentenceSource& source) const {
  if (files_.of_text == nullptr) {
    throw RequestError("--input-format " + std::string(kTextForms.word(form_)) +
                       ": the model needs records; expected jsonl");
  }
  return files_.of_text(source);
}

/// Examples of the forms that a kind of its own is learned from.
void PredictionRun::predict_records() {
  refuse_options_of_records();
  for (const InputFile& file : list_input_files(request_.input.files)) {
    LabelSet labels(predictor_.description().labels);
    ExampleInput input;
    input.file = file.path;
    input.locale = request_.input.locale;
    input.labelled = false;
    predict(*task_file_kind(files_.kind).open(input, labels));
  }
}

void PredictionRun::note_cut(std::uint64_t sentences, const char* what) const {
  note_count(listener_, sentences, what,
             "of more than " + human_count(kDefaultMaxSentenceTokens, "token") +
                 ", cut into pieces that are labeled each");
}

/// Sentences, or texts that are a sentence each, as all commands read them.
void PredictionRun::predict_input() {
  InputOptions options = input();
  if (!files_.records && !shape_.token_labels) {
    options.lines = options.format == InputFormat::text;
    options.whole_records = options.format == InputFormat::jsonl;
  }
  EmbedInput sentences(options, kDefaultMaxSentenceTokens, kNeverStop);
  predict(sentences);
  note_cut(sentences.cut_sentences(), options.whole_records || options.lines ? "text" : "sentence");
  note_input(listener_, sentences.counters());
}

/// Sentences of files of the forms that tokens are learned from.
void PredictionRun::predict_tokens(LabelledFormat format) {
  refuse_options_of_records();
  for (const InputFile& file : list_input_files(request_.input.files)) {
    LabelledInput input;
    input.file = file.path;
    input.format = format;
    input.column = request_.column;
    input.labelled = false;
    input.strict = request_.input.strict;
    FilledLines lines(format, request_.column);
    if (fills()) {
      input.through = [&](std::unique_ptr<ByteSource> bytes) {
        return lines.keep(std::move(bytes));
      };
    }
    const std::unique_ptr<LabelledSource> source = open_labelled(input);
    SentenceCutter cutter(*source, kDefaultMaxSentenceTokens);
    if (!fills()) {
      predict(cutter);
    } else {
      const LabelSet labels(predictor_.description().labels);
      predict(*examples_of(cutter),
              [&](const ExampleGroup&, std::span<const TaskPrediction> predictions) {
                if (predictions.empty()) return lines.fill({});
                return lines.fill(labels.names_of(predictions.front().labels));
              });
      output_.write(lines.rest());
      output_.flush();
    }
    note_cut(cutter.cut_sentences(), "sentence");
  }
}

/// Texts, or pairs of them, of files of the forms that they are learned from.
void PredictionRun::predict_texts() {
  refuse_options_of_records();
  if (request_.input.strict) {
    throw RequestError("--strict is not for pairs of texts, columns or records of tokens");
  }
  for (const InputFile& file : list_input_files(request_.input.files)) {
    LabelledTextInput input;
    input.file = file.path;
    input.pairs = shape_.texts == 2;
    input.labelled = false;
    input.label_column = form_ == TextForm::columns;
    input.locale = request_.input.locale;
    predict(*open_labelled_texts(input));
  }
}

void PredictionRun::predict_pairs() {
  if (form_ == TextForm::tokens || form_ == TextForm::conllu) {
    throw RequestError(
        "the model labels pairs of texts; expected --input-format text, columns or jsonl");
  }
  predict_texts();
}

}  // namespace elmo

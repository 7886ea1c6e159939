// `elmo task predict`: labels of new text.
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/task/commands.h"
#include "cli/flags/input.h"
#include "cli/flags/options.h"
#include "cli/flags/predictor.h"
#include "cli/flags/task.h"
#include "cli/numbers/human.h"
#include "cli/process/signals.h"
#include "cli/process/standard_output.h"
#include "cli/report/run_report.h"
#include "cli/run/embed_input.h"
#include "cli/run/input_notes.h"
#include "cli/run/task/predictor.h"
#include "core/error.h"
#include "core/inference/sentence_cutter.h"
#include "core/tasks/kinds.h"
#include "io/labelled/kinds.h"
#include "io/labelled/text_form.h"
#include "io/labelled/texts/labelled_texts.h"
#include "io/labelled/tokens/filled_lines.h"
#include "io/labelled/tokens/labelled_sentences.h"
#include "io/text/source/input_files.h"

namespace elmo {
namespace {

struct TaskPredictFlags {
  PredictorFlags predictor;
  InputOptions input;            ///< except its format
  std::optional<TextForm> form;  ///< none: told by the files' names
  TaskDataFlags data;
  std::optional<PredictionFormat> format;
};

/// The number of a column of CoNLL-U, from 1.
std::size_t column_number(const std::string& name) {
  const std::vector<std::string> names = conllu_label_columns();
  const auto found = std::find(names.begin(), names.end(), name);
  return 3 + static_cast<std::size_t>(found - names.begin());
}

/// The work of one command.
class Prediction {
 public:
  /// `command`: whose options the flags are.
  Prediction(const TaskPredictFlags& flags, const Options& command)
      : flags_(flags),
        report_(flags.predictor.quiet),
        predictor_(flags.predictor.request),
        files_(task_file_kind(predictor_.description().options.kind)),
        shape_(task_kind(files_.kind).shape),
        form_(flags.form ? *flags.form : form_by_name()),
        format_(flags.format ? *flags.format : format_of_form()),
        writer_(files_.writer(
            {format_, predictor_.description().labels, column_number(flags.data.column)})) {
    if (!files_.records && !shape_.token_labels && flags.input.lines) {
      throw RequestError("--lines: the model labels texts, which are lines or records");
    }
    InputOptions input = flags.input;
    input.format = input_format();
    check_input_flags(command, input);
  }

  void run() {
    if (files_.records) {
      is_text() ? predict_input() : predict_records();
    } else if (shape_.texts == 2) {
      predict_pairs();
    } else if (!shape_.token_labels && form_ == TextForm::columns) {
      predict_texts();
    } else if (form_ == TextForm::columns || fills()) {
      predict_tokens(form_ == TextForm::columns ? LabelledFormat::columns : LabelledFormat::conllu);
    } else if (form_ == TextForm::jsonl && records_hold_tokens()) {
      report_.line("read as records of tokens, by the first one");
      shape_.token_labels ? predict_tokens(LabelledFormat::jsonl) : predict_texts();
    } else {
      predict_input();
    }
    output_.write(writer_->end());
    output_.flush();
  }

 private:
  /// The form that the names of all files tell.
  TextForm form_by_name() const {
    std::optional<TextForm> form;
    std::string first;
    for (const InputFile& file : list_input_files(flags_.input.files)) {
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
      report_.line(first + ": read as " + std::string(kTextForms.word(*form)) +
                   ", by its name; --input-format decides otherwise");
    }
    return *form;
  }

  /// Of columns, the one that is read like them.
  InputFormat input_format() const {
    switch (form_) {
      case TextForm::text:
        break;
      case TextForm::tokens:
        return InputFormat::tokens;
      case TextForm::jsonl:
        return InputFormat::jsonl;
      case TextForm::conllu:
        return InputFormat::conllu;
      case TextForm::columns:
        return shape_.token_labels ? InputFormat::tokens : InputFormat::text;
    }
    return InputFormat::text;
  }

  /// RequestError for options that labeled files are not read with.
  void refuse_options_of_records() const {
    const InputOptions& options = flags_.input;
    const InputOptions usual;
    if (options.skip_bad_records || options.text_field != usual.text_field ||
        options.id_field != usual.id_field) {
      throw RequestError(
          "--text-field, --id-field and --skip-bad-records are not for pairs of texts, nor for "
          "records of tokens");
    }
  }

  bool is_text() const { return form_ == TextForm::text || form_ == TextForm::tokens; }

  PredictionFormat format_of_form() const {
    if (files_.records) return PredictionFormat::jsonl;
    if (form_ == TextForm::jsonl) return PredictionFormat::jsonl;
    const bool conllu = form_ == TextForm::conllu && shape_.token_labels;
    return conllu ? PredictionFormat::conllu : PredictionFormat::columns;
  }

  /// Whether the output is the input with labels filled in.
  bool fills() const {
    if (form_ == TextForm::conllu) return format_ == PredictionFormat::conllu;
    return form_ == TextForm::columns && format_ == PredictionFormat::columns;
  }

  bool records_hold_tokens() const {
    const InputFile first = list_input_files(flags_.input.files).front();
    return holds_token_records(first.path, flags_.input.text_field);
  }

  /// Predicts what `source` gives; the output is written as it comes.
  void predict(ExampleSource& source,
               const std::function<std::string(const ExampleGroup&,
                                               std::span<const TaskPrediction>)>& text_of) {
    predictor_.run(
        source,
        [&](const ExampleGroup& group, std::span<const TaskPrediction> predictions) {
          output_.write(text_of(group, predictions));
        },
        [&] { output_.flush(); });
    output_.flush();
  }
  void predict(ExampleSource& source) {
    predict(source, [this](const ExampleGroup& group, std::span<const TaskPrediction> predictions) {
      return writer_->text_of(group, predictions);
    });
  }
  void predict(SentenceSource& source) { predict(*examples_of(source)); }

  std::unique_ptr<ExampleSource> examples_of(SentenceSource& source) const {
    if (files_.of_text == nullptr) {
      throw RequestError("--input-format " + std::string(kTextForms.word(form_)) +
                         ": the model needs records; expected jsonl");
    }
    return files_.of_text(source);
  }

  /// Examples of the forms that a kind of its own is learned from.
  void predict_records() {
    refuse_options_of_records();
    for (const InputFile& file : list_input_files(flags_.input.files)) {
      LabelSet labels(predictor_.description().labels);
      ExampleInput input;
      input.file = file.path;
      input.locale = flags_.input.locale;
      input.labelled = false;
      predict(*task_file_kind(files_.kind).open(input, labels));
    }
  }

  void report_cut(std::uint64_t sentences, const char* what) const {
    report_.count(sentences, what,
                  "of more than " + human_count(kDefaultMaxSentenceTokens, "token") +
                      ", cut into pieces that are labeled each");
  }

  /// Sentences, or texts that are a sentence each, as all commands read them.
  void predict_input() {
    InputOptions options = flags_.input;
    options.format = input_format();
    if (!files_.records && !shape_.token_labels) {
      options.lines = options.format == InputFormat::text;
      options.whole_records = options.format == InputFormat::jsonl;
    }
    EmbedInput input(options, kDefaultMaxSentenceTokens, kNeverStop);
    predict(input);
    report_cut(input.cut_sentences(), options.whole_records || options.lines ? "text" : "sentence");
    RunReport reading(flags_.predictor.quiet);
    note_input(reading, input.counters());
  }

  /// Sentences of files of the forms that tokens are learned from.
  void predict_tokens(LabelledFormat format) {
    refuse_options_of_records();
    for (const InputFile& file : list_input_files(flags_.input.files)) {
      LabelledInput input;
      input.file = file.path;
      input.format = format;
      input.column = flags_.data.column;
      input.labelled = false;
      input.strict = flags_.input.strict;
      FilledLines lines(format, column_number(flags_.data.column) - 1);
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
      report_cut(cutter.cut_sentences(), "sentence");
    }
  }

  /// Texts, or pairs of them, of files of the forms that they are learned from.
  void predict_texts() {
    refuse_options_of_records();
    if (flags_.input.strict) {
      throw RequestError("--strict is not for pairs of texts, columns or records of tokens");
    }
    for (const InputFile& file : list_input_files(flags_.input.files)) {
      LabelledTextInput input;
      input.file = file.path;
      input.pairs = shape_.texts == 2;
      input.labelled = false;
      input.label_column = form_ == TextForm::columns;
      input.locale = flags_.input.locale;
      predict(*open_labelled_texts(input));
    }
  }

  void predict_pairs() {
    if (form_ == TextForm::tokens || form_ == TextForm::conllu) {
      throw RequestError(
          "the model labels pairs of texts; expected --input-format text, columns or jsonl");
    }
    predict_texts();
  }

  const TaskPredictFlags& flags_;
  Report report_;
  Predictor predictor_;
  const TaskFileKind& files_;
  ExampleShape shape_;
  TextForm form_;
  PredictionFormat format_;
  std::unique_ptr<PredictionWriter> writer_;
  BufferedOutput output_;
};

}  // namespace

void add_task_predict(Options& app, Command& chosen) {
  const auto flags = std::make_shared<TaskPredictFlags>();
  Options command = app.add_subcommand("predict", "Label text with a trained model");
  add_predictor_flags(command, flags->predictor);
  add_input_flags(command, flags->input);
  command->remove_option(command->get_option("--input-format"));
  add_choice(
      command, "--input-format", flags->form, kTextForms,
      "Input format: `text`, raw UTF-8; `tokens`, one tokenized sentence per line; `jsonl`, one "
      "JSON record per line; `conllu`, CoNLL-U")
      ->default_str("told by the files' names, else text")
      ->group("Input");
  add_choice(
      command, "--format", flags->format, kPredictionFormats,
      "Output format: `columns`, token TAB label, or label TAB text; `conllu`; `jsonl`, with spans "
      "and probabilities")
      ->default_str("as the input; columns for text and tokens");
  add_column(command, flags->data);
  command->callback([command, flags, &chosen] {
    chosen = [command, flags] {
      Prediction(*flags, *command).run();
      return kDone;
    };
  });
}

}  // namespace elmo

// `elmo task predict`: labels of new text.
#include <CLI/App.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "cli/commands/task/commands.h"
#include "cli/flags/input.h"
#include "cli/flags/options.h"
#include "cli/flags/task.h"
#include "cli/human.h"
#include "cli/process/signals.h"
#include "cli/process/standard_output.h"
#include "cli/report/task/prediction_text.h"
#include "cli/run/embed_input.h"
#include "cli/run/task/predictor.h"
#include "core/error.h"
#include "core/tasks/kinds.h"
#include "io/labelled/texts/labelled_texts.h"
#include "io/labelled/tokens/labelled_sentences.h"
#include "io/text/source/input_files.h"

namespace elmo {
namespace {

struct TaskPredictFlags {
  PredictorFlags predictor;
  InputOptions input;
  TaskDataFlags data;
  std::optional<PredictionFormat> format;
};

ExampleShape shape_of(const Predictor& predictor) {
  return task_kind(predictor.description().options.kind).shape;
}

PredictionFormat format_of(const TaskPredictFlags& flags, const ExampleShape& shape) {
  if (flags.format) return *flags.format;
  switch (flags.input.format) {
    case InputFormat::jsonl:
      return PredictionFormat::jsonl;
    case InputFormat::conllu:
      return shape.token_labels ? PredictionFormat::conllu : PredictionFormat::columns;
    case InputFormat::text:
    case InputFormat::tokens:
      break;
  }
  return PredictionFormat::columns;
}

/// The number of a column of CoNLL-U, from 1.
std::size_t column_number(const std::string& name) {
  const std::vector<std::string> names = conllu_label_columns();
  const auto found = std::find(names.begin(), names.end(), name);
  return 3 + static_cast<std::size_t>(found - names.begin());
}

/// Predicts what `source` gives, in a form that is written as it comes.
void predict(Predictor& predictor, SentenceSource& source, PredictionText& text) {
  BufferedOutput output;
  predictor.run(
      source,
      [&](std::span<const Sentence* const> texts, const TaskPrediction& prediction) {
        output.write(text.text_of(texts, prediction));
      },
      [&] { output.flush(); });
  output.flush();
}

/// Sentences, or texts that are a sentence each.
void predict_sentences(const TaskPredictFlags& flags, Predictor& predictor, PredictionText& text) {
  InputOptions options = flags.input;
  if (!shape_of(predictor).token_labels) {
    if (options.lines) {
      throw RequestError("--lines: the model labels texts, which are lines or records");
    }
    options.lines = options.format == InputFormat::text;
    options.whole_records = options.format == InputFormat::jsonl;
  }
  EmbedInput input(options, kDefaultMaxSentenceTokens, kNeverStop);
  predict(predictor, input, text);
  const Report report(flags.predictor.quiet);
  report.count(input.cut_sentences(), options.whole_records || options.lines ? "text" : "sentence",
               "of more than " + human_count(kDefaultMaxSentenceTokens, "token") +
                   ", cut into pieces that are labelled each");
  report_input(report, input.counters());
}

void predict_pairs(const TaskPredictFlags& flags, Predictor& predictor, PredictionText& text) {
  const InputOptions& options = flags.input;
  if (options.format != InputFormat::text && options.format != InputFormat::jsonl) {
    throw RequestError("the model labels pairs of texts; expected --input-format text or jsonl");
  }
  const InputOptions usual;
  if (options.lines || options.strict || options.skip_bad_records ||
      options.text_field != usual.text_field || options.id_field != usual.id_field) {
    throw RequestError(
        "--lines, --strict, --text-field, --id-field and --skip-bad-records are not for models "
        "that label pairs of texts");
  }
  for (const InputFile& file : list_input_files(options.files)) {
    LabelledTextInput input;
    input.file = file.path;
    input.pairs = true;
    input.labelled = false;
    input.locale = options.locale;
    predict(predictor, *open_labelled_texts(input), text);
  }
}

ExitCode run_task_predict(const TaskPredictFlags& flags) {
  Predictor predictor(flags.predictor);
  const ExampleShape shape = shape_of(predictor);
  const PredictionFormat format = format_of(flags, shape);
  if (!shape.token_labels && format == PredictionFormat::conllu) {
    throw RequestError("--format conllu: the model labels texts, and no tokens");
  }
  PredictionText text(shape, format, predictor.description().labels,
                      column_number(flags.data.column));
  if (shape.texts == 2) {
    predict_pairs(flags, predictor, text);
  } else {
    predict_sentences(flags, predictor, text);
  }
  return kDone;
}

}  // namespace

void add_task_predict(CLI::App& app, Command& chosen) {
  const auto flags = std::make_shared<TaskPredictFlags>();
  CLI::App* command = app.add_subcommand("predict", "Label text with a trained model");
  add_predictor_flags(command, flags->predictor);
  add_input_flags(command, flags->input);
  add_choice(
      command, "--format", flags->format, kPredictionFormats,
      "Form of the output. `columns`: a token TAB its label a line, or of texts a label TAB the "
      "tokens; `conllu`: CoNLL-U with the labels in --column; `jsonl`: a JSON object a sentence or "
      "text, with byte spans, each label's probability and the entities that labels of a span "
      "scheme mark")
      ->default_str("that of the input; columns for text and tokens");
  add_column(command, flags->data);
  command->callback([command, flags, &chosen] {
    check_input_flags(*command, flags->input);
    chosen = [flags] { return run_task_predict(*flags); };
  });
}

}  // namespace elmo

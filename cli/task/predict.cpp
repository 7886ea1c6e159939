// `elmo task predict`: labels of new text.
#include <CLI/App.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "cli/embed_input.h"
#include "cli/flags/input.h"
#include "cli/flags/options.h"
#include "cli/standard_output.h"
#include "cli/task/commands.h"
#include "cli/task/flags.h"
#include "cli/task/prediction_text.h"
#include "cli/task/predictor.h"
#include "io/task/labelled_sentences.h"

namespace elmo {
namespace {

constexpr std::atomic<bool> kNeverStop{false};

struct TaskPredictFlags {
  PredictorFlags predictor;
  InputOptions input;
  TaskDataFlags data;
  std::optional<PredictionFormat> format;
};

PredictionFormat format_of(const TaskPredictFlags& flags) {
  if (flags.format) return *flags.format;
  switch (flags.input.format) {
    case InputFormat::jsonl:
      return PredictionFormat::jsonl;
    case InputFormat::conllu:
      return PredictionFormat::conllu;
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

ExitCode run_task_predict(const TaskPredictFlags& flags) {
  Predictor predictor(flags.predictor);
  EmbedInput input(flags.input, kDefaultMaxSentenceTokens, kNeverStop);
  PredictionText text(format_of(flags), predictor.description().labels,
                      column_number(flags.data.column));
  BufferedOutput output;
  predictor.run(
      input,
      [&](std::span<const Sentence> texts, const TaskPrediction& prediction) {
        output.write(text.text_of(texts.front(), prediction));
      },
      [&] { output.flush(); });
  output.flush();
  report_input(Report(flags.predictor.quiet), input.counters());
  return kDone;
}

}  // namespace

void add_task_predict(CLI::App& app, Command& chosen) {
  const auto flags = std::make_shared<TaskPredictFlags>();
  CLI::App* command = app.add_subcommand("predict", "Label text with a trained model");
  add_predictor_flags(command, flags->predictor);
  add_input_flags(command, flags->input);
  add_choice<std::optional<PredictionFormat>>(
      command, "--format", flags->format,
      {{"columns", PredictionFormat::columns},
       {"conllu", PredictionFormat::conllu},
       {"jsonl", PredictionFormat::jsonl}},
      "Form of the output. `columns`: a token TAB its label a line; `conllu`: CoNLL-U with the "
      "labels in --column; `jsonl`: a JSON object a sentence, with byte spans, each label's "
      "probability and the entities that labels of a span scheme mark")
      ->default_str("that of the input; columns for text and tokens");
  add_task_data_flags(command, flags->data);
  command->callback([command, flags, &chosen] {
    check_input_flags(*command, flags->input);
    chosen = [flags] { return run_task_predict(*flags); };
  });
}

}  // namespace elmo

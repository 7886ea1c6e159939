// `elmo task predict`: predicts labels of new text.
#include <memory>
#include <optional>
#include <string>

#include "cli/common/option_groups.h"
#include "cli/common/options.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "cli/task/options.h"
#include "cli/task/prediction_run.h"
#include "cli/task/task.h"

namespace elmo {
namespace {

struct TaskPredictFlags {
  PredictorFlags predictor;
  PredictionRequest request;  ///< without its model and column
  TaskDataFlags data;
};

/// `command` has the options that set the flags.
ExitCode run_task_predict(const TaskPredictFlags& flags, const Options& command) {
  PredictionRequest request = flags.request;
  request.predictor = flags.predictor.request;
  request.column = flags.data.column;
  RunReport report(flags.predictor.quiet);
  PredictionRun run(request, report, standard_output());
  for (const std::string& option : PredictionRun::options_of_some_inputs()) {
    const std::optional<std::string> missing = run.missing_for(option);
    only_with(command, option, !missing, missing.value_or(""));
  }
  run.run();
  return kDone;
}

}  // namespace

void add_task_predict(Options& app, Command& chosen) {
  const auto flags = std::make_shared<TaskPredictFlags>();
  Options command = app.add_subcommand("predict", "Label text with a trained model");
  add_predictor_flags(command, flags->predictor);
  add_input_flags(command, flags->request.input);
  command->remove_option(command->get_option("--input-format"));
  add_choice(
      command, "--input-format", flags->request.form, kTextForms,
      "Input format: `text`, raw UTF-8; `tokens`, one tokenized sentence per line; `jsonl`, one "
      "JSON record per line; `conllu`, CoNLL-U")
      ->default_str("told by the files' names, else text")
      ->group("Input");
  add_choice(
      command, "--format", flags->request.format, kPredictionFormats,
      "Output format: `columns`, token TAB label, or label TAB text; `conllu`; `jsonl`, with spans "
      "and probabilities; `squad`, the answers as SQuAD's scorer reads them")
      ->default_str("as the input; columns for text and tokens; jsonl for qa, srl and coref");
  add_column(command, flags->data);
  command->callback([command, flags, &chosen] {
    chosen = [command, flags] { return run_task_predict(*flags, command); };
  });
}

}  // namespace elmo

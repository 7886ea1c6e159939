// `elmo task evaluate`: evaluates a trained model on labeled data.
#include <memory>
#include <string>

#include "cli/common/options.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "cli/task/evaluation.h"
#include "cli/task/options.h"
#include "cli/task/report.h"
#include "cli/task/task.h"

namespace elmo {
namespace {

struct TaskEvaluateFlags {
  PredictorFlags predictor;
  TaskDataFlags data;
  TaskEvaluationRequest request;  ///< without its model, column and tokenizer
  bool json = false;
};

class EvaluationReport final : public TaskEvaluationListener {
 public:
  explicit EvaluationReport(bool quiet) : report_(quiet) {}

  void note(const std::string& line) override { report_.line(line); }
  void differed(const WrongLabels& wrong) override { output_.write(differences_text(wrong)); }
  BufferedOutput& output() { return output_; }

 private:
  Report report_;
  BufferedOutput output_;
};

/// `command` has the options that set the flags.
ExitCode run_task_evaluate(const TaskEvaluateFlags& flags, const Options& command) {
  TaskEvaluationRequest request = flags.request;
  request.predictor = flags.predictor.request;
  if (command.count("--column") > 0) request.column = flags.data.column;
  request.tokenizer = flags.data.tokenizer;
  request.skip_unanswerable = flags.data.skip_unanswerable;
  EvaluationReport report(flags.predictor.quiet);
  const TaskEvaluationResult result = evaluate_task(request, report);
  report.output().write(flags.json ? scores_json(result) : scores_text(result));
  report.output().flush();
  return kDone;
}

}  // namespace

void add_task_evaluate(Options& app, Command& chosen) {
  const auto flags = std::make_shared<TaskEvaluateFlags>();
  Options command = app.add_subcommand("evaluate", "Score a trained model on labeled data");
  add_predictor_flags(command, flags->predictor);
  command->add_option("FILE", flags->request.file, "Labeled data, as in `elmo task train`")
      ->required();
  add_task_data_flags(command, flags->data);
  Option json = command->add_flag("--json", flags->json, "Print JSON with exact numbers");
  command
      ->add_flag("--differences", flags->request.differences,
                 "Print each wrong label first (tag, classify, pair, srl): file, line, token or "
                 "texts, gold label and predicted label; for srl the predicate before the token")
      ->excludes(json);
  command->callback([command, flags, &chosen] {
    chosen = [command, flags] { return run_task_evaluate(*flags, command); };
  });
}

}  // namespace elmo

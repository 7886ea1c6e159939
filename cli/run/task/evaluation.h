// How good a trained task model is on labeled data.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/run/listener.h"
#include "cli/run/task/predictor.h"
#include "core/tasks/common/task_options.h"
#include "core/tasks/common/task_scores.h"
#include "io/labeled/common/example_source.h"

namespace elmo {

struct TaskEvaluationRequest {
  PredictorRequest predictor;
  std::string file;
  std::optional<std::string> column;  ///< of CoNLL-U, that holds the labels
  TokenizerRequest tokenizer;         ///< of raw text
  bool skip_unanswerable = false;     ///< questions without an answer are left out
  bool differences = false;           ///< tell of wrong labels
};

/// The labels of an example, some of which the model got wrong.
struct WrongLabels {
  const std::string& file;
  const ExampleGroup& group;
  bool of_tokens;                            ///< else of the example
  std::span<const std::int32_t> predicates;  ///< tokens with a frame each; the labels are theirs
  std::vector<std::string> expected;
  std::vector<std::string> predicted;
};

class TaskEvaluationListener : public RunListener {
 public:
  /// Only where differences were asked for.
  virtual void differed(const WrongLabels& /*wrong*/) {}
};

/// How often a label was given where another one was expected.
using LabelConfusions = std::map<std::pair<std::string, std::string>, std::uint64_t>;

struct TaskEvaluationResult {
  TaskKind kind = TaskKind::tag;
  std::uint64_t examples = 0;
  std::vector<ScoreFigure> figures;
  LabelConfusions confusions;  ///< of kinds whose predictions are labels
};

/// Predicts all examples of the file and scores them. Errors: as Predictor and the readers;
/// InputError where most labels are not the model's; RequestError where a kind knows no labels that
/// could differ.
TaskEvaluationResult evaluate_task(const TaskEvaluationRequest& request,
                                   TaskEvaluationListener& listener);

}  // namespace elmo

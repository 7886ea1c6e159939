// Evaluates a trained task model on labeled data.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/tasks/common/label_scores.h"
#include "io/engine/listener.h"
#include "io/engine/task/predictor.h"
#include "io/labeled/example_file.h"

namespace elmo {

struct TaskEvaluationRequest : PredictorRequest {
  std::string file;
  std::string column = "upos";     ///< CoNLL-U: the column with the labels
  TableNames table;                ///< tables of texts: the columns to read
  TokenizerRequest tokenizer;      ///< tokenizer of raw text
  bool skip_unanswerable = false;  ///< questions without an answer are left out
  bool differences = false;        ///< report wrong labels
};

/// The expected and the predicted labels of an example.
struct WrongLabels {
  const std::string& file;
  const ExampleGroup& group;
  bool of_tokens;                            ///< labels of tokens, otherwise of the example
  std::span<const std::int32_t> predicates;  ///< tokens with a frame each, if labels are of frames
  std::vector<std::string> expected;
  std::vector<std::string> predicted;
};

/// Frequency of each wrong label: {expected, predicted} and count.
using LabelConfusions = std::map<std::pair<std::string, std::string>, std::uint64_t>;

struct TaskEvaluationResult {
  std::string kind;
  std::uint64_t examples = 0;
  std::vector<ScoreFigure> figures;
  LabelConfusions confusions;  ///< only kinds whose predictions are labels
};

/// Predicts all examples of the file and scores them. Calls `differed` for each example if
/// differences were requested. Errors: as Predictor and the readers; InputError if most labels are
/// unknown to the model; RequestError for differences of a kind without labels.
TaskEvaluationResult evaluate_task(const TaskEvaluationRequest& request, RunListener& listener,
                                   const std::function<void(const WrongLabels&)>& differed);

}  // namespace elmo

// Scores of a task model as text and JSON.
#pragma once

#include <string>

#include "cli/run/task/evaluation.h"

namespace elmo {

/// A JSON object: "kind", "examples" and the figures by name.
std::string scores_json(const TaskEvaluationResult& result);

/// Nested figures as rows of a table and the others in a line, then the most frequent confusions.
std::string scores_text(const TaskEvaluationResult& result);

/// A line for each wrong label: file, line, the frame's predicate (if any), token or texts, the
/// expected label and the predicted label.
std::string differences_text(const WrongLabels& wrong);

}  // namespace elmo

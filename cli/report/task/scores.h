// How good a task model is, as text and JSON.
#pragma once

#include <string>

#include "cli/run/task/evaluation.h"

namespace elmo {

/// {"kind", "examples", …}, the figures by their names.
std::string scores_json(const TaskEvaluationResult& result);

/// Figures under names as rows of a table, the others in a line; then the most frequent confusions.
std::string scores_text(const TaskEvaluationResult& result);

/// A line for each wrong label: file, line, the frame's predicate where there is one, token or
/// texts, the expected label, the predicted one.
std::string differences_text(const WrongLabels& wrong);

}  // namespace elmo

// How good a task model is, as the scores of every kind say it.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/enum_table.h"
#include "core/tasks/common/task_corpus.h"
#include "core/tasks/common/task_model.h"

namespace elmo {

/// What models of a task are compared by, in percent.
enum class TaskMetric { accuracy, f1 };

inline constexpr auto kTaskMetrics =
    enum_table<TaskMetric>({{"accuracy", TaskMetric::accuracy}, {"f1", TaskMetric::f1}});

/// A figure, a count, or several of them under one name; reports and JSON show them in this order.
struct ScoreFigure {
  std::string name;  ///< a key of JSON, such as "exact_match"
  std::variant<double, std::uint64_t, std::vector<ScoreFigure>> value;
};

/// Scores of a corpus, an example at a time. One thread.
class TaskScores {
 public:
  virtual ~TaskScores() = default;

  /// What was predicted for an example.
  virtual void add(const TaskRecord& record, const TaskPrediction& prediction) = 0;

  /// What models are compared by, in percent.
  virtual double score() const = 0;

  virtual std::vector<ScoreFigure> figures() const = 0;
};

}  // namespace elmo

// Common interface of the scores of all kinds of task.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/enum_table.h"
#include "core/tasks/common/task_corpus.h"
#include "core/tasks/common/task_model.h"

namespace elmo {

/// Metric for comparing models of a task, in percent.
enum class TaskMetric { accuracy, f1 };

inline constexpr auto kTaskMetrics =
    enum_table<TaskMetric>({{"accuracy", TaskMetric::accuracy}, {"f1", TaskMetric::f1}});

/// A figure, a count, or a named group of them. Reports and JSON show them in this order.
struct ScoreFigure {
  std::string name;  ///< a JSON key, such as "exact_match"
  std::variant<double, std::uint64_t, std::vector<ScoreFigure>> value;
};

/// Scores of a corpus, added one example at a time. One thread.
class TaskScores {
 public:
  virtual ~TaskScores() = default;

  /// Adds the prediction for one example.
  virtual void add(const TaskRecord& record, const TaskPrediction& prediction) = 0;

  /// The value of the metric, in percent.
  virtual double score() const = 0;

  virtual std::vector<ScoreFigure> figures() const = 0;
};

}  // namespace elmo

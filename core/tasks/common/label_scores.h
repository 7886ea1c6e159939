// The interface of the scores of all kinds of task, and scores of named labels: agreement of spans,
// counted as by conlleval, and of tokens.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/enum_table.h"
#include "core/tasks/common/labels.h"
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

/// How often something was expected, predicted, and both. Figures are percentages, and 0 if there
/// was nothing to count, as in conlleval.
struct AgreementCounts {
  std::uint64_t expected = 0;
  std::uint64_t predicted = 0;
  std::uint64_t correct = 0;

  double precision() const { return percent(correct, predicted); }
  double recall() const { return percent(correct, expected); }
  /// 2 · precision · recall / (precision + recall)
  double f1() const { return percent(2 * correct, expected + predicted); }

  static double percent(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  }
};

/// Scores of a corpus, added one sentence at a time. One thread.
class LabelScores {
 public:
  /// `spans`: the labels follow a span scheme, and types are span types. Otherwise types are
  /// labels.
  explicit LabelScores(bool spans) : spans_(spans) {}

  /// Adds a sentence. Both arguments have one label per token (else std::logic_error). A span is
  /// correct if its begin, end and type are; a token, if its whole label is.
  void add(std::span<const std::string> expected, std::span<const std::string> predicted);

  bool spans() const { return spans_; }
  /// The figure for comparing models, in percent: F1 of spans, or accuracy of other labels.
  double score() const { return spans_ ? all_spans_.f1() : accuracy(); }
  std::uint64_t tokens() const { return tokens_.expected; }
  /// Accuracy over tokens, including those labeled O, in percent.
  double accuracy() const { return tokens_.recall(); }
  /// Counts over all spans; for other labels, over all tokens.
  const AgreementCounts& all() const { return spans_ ? all_spans_ : tokens_; }
  /// Mean F1 of the expected types.
  double macro_f1() const;
  /// Counts by span type or by label, for all that were expected or predicted.
  const std::map<std::string, AgreementCounts>& types() const { return types_; }

 private:
  void add_spans(std::span<const std::string> expected, std::span<const std::string> predicted);

  bool spans_;
  AgreementCounts tokens_;
  AgreementCounts all_spans_;
  std::map<std::string, AgreementCounts> types_;
};

/// LabelScores for numbered labels. One thread.
class NamedLabelScores final : public TaskScores {
 public:
  /// `labels`: first the model's, in its order, then labels that the model does not know and so
  /// cannot predict; must outlive this object. `tokens`: labels belong to tokens, not to examples.
  /// `spans`: see LabelScores.
  NamedLabelScores(const LabelSet& labels, bool tokens, bool spans)
      : labels_(labels), tokens_(tokens), scores_(spans) {}

  void add(const TaskRecord& record, const TaskPrediction& prediction) override;
  double score() const override { return scores_.score(); }
  /// precision, recall, f1, macro_f1, accuracy, the number of tokens, and the types by name.
  std::vector<ScoreFigure> figures() const override;

 private:
  const LabelSet& labels_;
  bool tokens_;
  LabelScores scores_;
};

/// {precision, recall, f1, expected, predicted, correct} under the name `name`.
ScoreFigure counts_figure(const std::string& name, const AgreementCounts& counts);

}  // namespace elmo

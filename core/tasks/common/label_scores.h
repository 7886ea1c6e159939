// Labels and their numbers, the common interface of all scores of a corpus, and the scores of
// labels, counted as by conlleval.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "core/tasks/common/task_corpus.h"
#include "core/tasks/common/task_model.h"

namespace elmo {

/// Labels, numbered in the order in which they were added.
class LabelSet {
 public:
  LabelSet() = default;
  explicit LabelSet(const std::vector<std::string>& labels) {
    for (const std::string& label : labels) add(label);
  }

  /// Returns the number of `label`. Adds it if it is new.
  std::int32_t add(const std::string& label) {
    const auto number = static_cast<std::int32_t>(names_.size());
    const auto [found, is_new] = numbers_.try_emplace(label, number);
    if (is_new) names_.push_back(label);
    return found->second;
  }

  std::int64_t size() const { return static_cast<std::int64_t>(names_.size()); }
  const std::vector<std::string>& names() const { return names_; }
  const std::string& operator[](std::int32_t number) const {
    return names_[static_cast<std::size_t>(number)];
  }
  /// The labels with these numbers, in this order.
  std::vector<std::string> names_of(std::span<const std::int32_t> numbers) const {
    std::vector<std::string> names;
    names.reserve(numbers.size());
    for (const std::int32_t number : numbers) names.push_back((*this)[number]);
    return names;
  }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::int32_t> numbers_;
};

/// The number by which models of a kind of task are compared, such as the F1 of all spans.
struct TaskMetric {
  const char* name = "";         ///< in JSON: "f1"
  const char* title = "";        ///< for people: "F1"
  const char* unit = "%";        ///< empty for a number without a unit
  int decimals = 2;              ///< shown to people
  bool higher_is_better = true;  ///< otherwise lower is

  bool is_better(double one, double other) const {
    return higher_is_better ? one > other : one < other;
  }
};

inline constexpr TaskMetric kAccuracyMetric{"accuracy", "accuracy"};
inline constexpr TaskMetric kF1Metric{"f1", "F1"};

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

  /// The value of the kind's metric (TaskKind::metric).
  virtual double score() const = 0;

  virtual std::vector<ScoreFigure> figures() const = 0;
};

/// Numbers of expected, predicted and correct items. Figures are percentages, and 0 if there was
/// nothing to count, as in conlleval.
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

/// Counts the labels of a file that training saw and those that it did not see. O, which marks
/// tokens outside of spans, is not counted. One thread.
class KnownLabels {
 public:
  void add(const std::string& label, bool known);

  std::uint64_t unknown() const { return unknown_; }
  /// Empty if all labels are known.
  const std::string& first_unknown() const { return first_unknown_; }

  /// InputError, naming `file`, if training never saw most of the labels. They then come from
  /// another column or scheme, and a score would be meaningless.
  void check(const std::string& file) const;

 private:
  std::uint64_t known_ = 0;
  std::uint64_t unknown_ = 0;
  std::string first_unknown_;
};

/// Scores of labels of tokens, texts or pairs. One thread.
class LabelScores final : public TaskScores {
 public:
  /// `labels`: first the model's, in its order, then labels that the model does not know and so
  /// cannot predict; must outlive this object. `tokens`: labels belong to tokens, not to examples.
  /// `spans`: the labels follow a span scheme, and types are span types. Otherwise types are
  /// labels.
  LabelScores(const LabelSet& labels, bool tokens, bool spans)
      : labels_(labels), of_tokens_(tokens), spans_(spans) {}

  /// LabelGold and LabelPrediction of as many labels (else std::logic_error). A span is correct if
  /// its begin, end and type are; a token, if its whole label is.
  void add(const TaskRecord& record, const TaskPrediction& prediction) override;

  /// F1 of spans, or accuracy of other labels, in percent.
  double score() const override { return spans_ ? all_spans_.f1() : accuracy(); }
  /// precision, recall, f1, macro_f1, accuracy, the number of tokens, and the types by name.
  std::vector<ScoreFigure> figures() const override;

  /// Accuracy over tokens, including those labeled O, in percent.
  double accuracy() const { return tokens_.recall(); }
  /// Counts over all spans; for other labels, over all tokens.
  const AgreementCounts& all() const { return spans_ ? all_spans_ : tokens_; }
  /// Mean F1 of the expected types.
  double macro_f1() const;
  /// Counts by span type or by label, of everything expected or predicted.
  const std::map<std::string, AgreementCounts>& types() const { return types_; }

 private:
  void add_spans(std::span<const std::string> expected, std::span<const std::string> predicted);

  const LabelSet& labels_;
  bool of_tokens_;
  bool spans_;
  AgreementCounts tokens_;
  AgreementCounts all_spans_;
  std::map<std::string, AgreementCounts> types_;
};

/// {precision, recall, f1, expected, predicted, correct} under the name `name`.
ScoreFigure counts_figure(const std::string& name, const AgreementCounts& counts);

}  // namespace elmo

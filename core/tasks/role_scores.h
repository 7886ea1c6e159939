// Agreement of predicted arguments of predicates with the expected ones.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/tasks/common/label_scores.h"

namespace elmo {

/// An argument of a predicate: one or more spans of tokens.
struct RoleArgument {
  std::string role;
  std::vector<std::pair<std::size_t, std::size_t>> parts;  ///< [begin, end), in order

  bool operator==(const RoleArgument&) const = default;
};

/// Returns the arguments that the BIO labels of one frame mark, in the order of their first parts.
/// Follows srl-eval.pl of the CoNLL-2005 shared task (Carreras and Màrquez 2005): a span C-ROLE
/// continues the last argument of that role, if any; otherwise it begins an argument. The predicate
/// itself (V) is omitted. Any thread.
std::vector<RoleArgument> role_arguments(std::span<const std::string> labels);

/// Precision, recall and F1 over all arguments, counted as by srl-eval.pl: an argument is correct
/// if its role and all its parts are. One thread.
class RoleScores final : public TaskScores {
 public:
  /// `labels`: first the model's, in its order, then labels that the model does not know and so
  /// cannot predict; must outlive this object.
  explicit RoleScores(const LabelSet& labels) : labels_(labels) {}

  /// The record and the prediction must have the same number of labels (else std::logic_error).
  void add(const TaskRecord& record, const TaskPrediction& prediction) override;
  double score() const override { return all_.f1(); }
  /// precision, recall, f1, and the labels by role.
  std::vector<ScoreFigure> figures() const override;

 private:
  void add_frame(std::span<const std::string> expected, std::span<const std::string> predicted);

  const LabelSet& labels_;
  AgreementCounts all_;
  std::map<std::string, AgreementCounts> roles_;
};

}  // namespace elmo

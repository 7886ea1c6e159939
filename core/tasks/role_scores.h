// Frames of predicates, and agreement of predicted arguments with the expected ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/tasks/common/label_scores.h"

namespace elmo {

/// The predicates of a sentence, and the labels of its frames.
struct FrameGold : LabelGold {
  /// `frame_labels`: [frames, tokens] in BIO; empty if unknown.
  FrameGold(std::vector<std::int32_t> tokens_of_predicates, std::vector<std::int32_t> frame_labels)
      : LabelGold(std::move(frame_labels)), predicates(std::move(tokens_of_predicates)) {}

  std::string text() const override { return numbers_text(predicates) + numbers_text(labels); }

  std::vector<std::int32_t> predicates;  ///< [frames] tokens
};

/// Labels and their probabilities [frames, tokens], and the predicates that were given or found.
struct FramePrediction : LabelPrediction {
  std::vector<std::int32_t> predicates;  ///< [frames] tokens
};

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

  /// FrameGold and FramePrediction of as many labels (else std::logic_error).
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

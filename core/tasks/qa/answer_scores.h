// How good answers to questions are, as SQuAD counts them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/tasks/common/task_corpus.h"
#include "core/tasks/common/task_scores.h"

namespace elmo {

/// How far an answer agrees with a reference answer: in [0, 1].
struct AnswerAgreement {
  double exact = 0.0;  ///< 1: the same text, once both are normalized
  double f1 = 0.0;     ///< of their words
};

/// What is known of the answers to a question. Immutable.
class ReferenceAnswers : public TaskGold {
 public:
  /// How far tokens `first` to `last` (inclusive) of the context agree with the reference answers:
  /// of each figure the best of all of them. Any thread.
  virtual AnswerAgreement agreement(std::int32_t first, std::int32_t last) const = 0;
};

/// Exact match and F1 of SQuAD 1.1 (Rajpurkar et al. 2016, section 6.1): means over the questions,
/// in percent. One thread.
class AnswerScores final : public TaskScores {
 public:
  /// The record's gold has to be ReferenceAnswers (else std::logic_error).
  void add(const TaskRecord& record, const TaskPrediction& prediction) override;
  double score() const override { return percent(f1_); }
  std::vector<ScoreFigure> figures() const override;

 private:
  double percent(double sum) const;

  std::uint64_t questions_ = 0;
  double exact_ = 0.0;  // sums
  double f1_ = 0.0;
};

}  // namespace elmo

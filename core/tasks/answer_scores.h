// Scores of answers to questions, as in SQuAD.
#pragma once

#include <cstdint>
#include <vector>

#include "core/tasks/common/label_scores.h"
#include "core/tasks/common/task_corpus.h"

namespace elmo {

/// Agreement of an answer with a reference answer, in [0, 1].
struct AnswerAgreement {
  double exact = 0.0;  ///< 1 if both texts are equal after normalization, else 0
  double f1 = 0.0;     ///< over words
};

/// Reference answers to a question. Immutable.
class ReferenceAnswers {
 public:
  virtual ~ReferenceAnswers() = default;

  /// Agreement of tokens `first` to `last` (inclusive) of the context with the reference answers.
  /// Each figure is the maximum over all references. Any thread.
  virtual AnswerAgreement agreement(std::int32_t first, std::int32_t last) const = 0;
};

/// Exact match and F1 of SQuAD 1.1 (Rajpurkar et al. 2016, section 6.1): means over the questions,
/// in percent. One thread.
class AnswerScores final : public TaskScores {
 public:
  /// The record's gold must be ReferenceAnswers (else std::logic_error).
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

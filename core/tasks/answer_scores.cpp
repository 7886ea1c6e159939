#include "core/tasks/answer_scores.h"

#include <stdexcept>

namespace elmo {

void AnswerScores::add(const TaskRecord& record, const TaskPrediction& prediction) {
  const auto* answers = record.gold_as<ReferenceAnswers>();
  if (answers == nullptr) throw std::logic_error("a question without reference answers");
  const AnswerAgreement agreement =
      answers->agreement(prediction.labels.front(), prediction.labels.back());
  ++questions_;
  exact_ += agreement.exact;
  f1_ += agreement.f1;
}

double AnswerScores::percent(double sum) const {
  return questions_ == 0 ? 0.0 : 100.0 * sum / static_cast<double>(questions_);
}

std::vector<ScoreFigure> AnswerScores::figures() const {
  return {{"exact_match", percent(exact_)}, {"f1", percent(f1_)}};
}

}  // namespace elmo

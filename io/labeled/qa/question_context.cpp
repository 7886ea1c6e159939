#include "io/labeled/qa/question_context.h"

#include <algorithm>
#include <utility>

#include "io/labeled/qa/answer_words.h"

namespace elmo {

AskedQuestion::AskedQuestion(std::string id, std::shared_ptr<const QuestionContext> context,
                             const std::vector<std::string>& answers)
    : id_(std::move(id)), context_(std::move(context)) {
  for (const std::string& answer : answers) {
    std::vector<std::string> words = answer_words(answer);
    // Skips duplicates: annotators often agree.
    if (std::ranges::find(answers_, words) == answers_.end()) answers_.push_back(std::move(words));
  }
}

AnswerAgreement AskedQuestion::agreement(std::int32_t first, std::int32_t last) const {
  const std::vector<std::string> words = answer_words(context_->answer(first, last));
  AnswerAgreement best;
  for (const std::vector<std::string>& answer : answers_) {
    const AnswerAgreement agreement = answer_agreement(words, answer);
    best.exact = std::max(best.exact, agreement.exact);
    best.f1 = std::max(best.f1, agreement.f1);
  }
  return best;
}

}  // namespace elmo

#include "core/tasks/answer_scores.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "core/text.h"

namespace elmo {

ContextRange QuestionContext::range(const AnswerSpan& span) const {
  const ContextRange& begin = tokens[static_cast<std::size_t>(span.first)];
  const ContextRange& end = tokens[static_cast<std::size_t>(span.last)];
  return {begin.byte_begin,   end.byte_end,       begin.code_point_begin,
          end.code_point_end, begin.source_begin, end.source_end};
}

std::string_view QuestionContext::answer(const AnswerSpan& span) const {
  const ContextRange tokens_of_answer = range(span);
  return std::string_view(text).substr(tokens_of_answer.byte_begin,
                                       tokens_of_answer.byte_end - tokens_of_answer.byte_begin);
}

AnswerAgreement answer_agreement(std::span<const std::string> predicted,
                                 std::span<const std::string> reference) {
  std::vector<std::string> left(predicted.begin(), predicted.end());
  std::vector<std::string> right(reference.begin(), reference.end());
  AnswerAgreement agreement;
  agreement.exact = left == right ? 1.0 : 0.0;
  std::ranges::sort(left);
  std::ranges::sort(right);
  std::vector<std::string> common;
  std::ranges::set_intersection(left, right, std::back_inserter(common));
  if (common.empty()) return agreement;
  const auto shared = static_cast<double>(common.size());
  const double precision = shared / static_cast<double>(left.size());
  const double recall = shared / static_cast<double>(right.size());
  agreement.f1 = 2.0 * precision * recall / (precision + recall);
  return agreement;
}

AskedQuestion::AskedQuestion(std::string question_id,
                             std::shared_ptr<const QuestionContext> question_context,
                             std::span<const std::string> reference_answers,
                             AnswerWords answer_words)
    : id(std::move(question_id)), context(std::move(question_context)), words_of(answer_words) {
  std::set<std::vector<std::string>> seen;
  for (const std::string& answer : reference_answers) {
    std::vector<std::string> words = words_of(answer);
    // Skips duplicates: annotators often agree.
    if (seen.insert(words).second) references.push_back(std::move(words));
  }
}

std::string AskedQuestion::text() const {
  std::vector<std::int32_t> edges;
  for (const AnswerSpan& span : spans) edges.insert(edges.end(), {span.first, span.last});
  std::string text = numbers_text(window_begins) + numbers_text(edges);
  for (const std::vector<std::string>& reference : references) {
    text += joined(reference, " ") + "\n";
  }
  return text;
}

AnswerAgreement AskedQuestion::agreement(const AnswerSpan& tokens) const {
  const std::vector<std::string> words = words_of(context->answer(tokens));
  AnswerAgreement best;
  for (const std::vector<std::string>& reference : references) {
    const AnswerAgreement agreement = answer_agreement(words, reference);
    best.exact = std::max(best.exact, agreement.exact);
    best.f1 = std::max(best.f1, agreement.f1);
  }
  return best;
}

void AnswerScores::add(const TaskRecord& record, const TaskPrediction& prediction) {
  const AnswerAgreement agreement =
      record.gold->as<AskedQuestion>().agreement(prediction.as<AnswerPrediction>().span);
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

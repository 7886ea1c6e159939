// Answers to questions about a context, and their scores, as in SQuAD.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tasks/common/label_scores.h"
#include "core/tasks/common/task_corpus.h"

namespace elmo {

/// A half-open range of a context's text, and the same range in the source of that text.
struct ContextRange {
  std::uint32_t byte_begin = 0;
  std::uint32_t byte_end = 0;
  std::uint32_t code_point_begin = 0;
  std::uint32_t code_point_end = 0;
  std::uint32_t source_begin = 0;  ///< byte offset before ill-formed UTF-8 was repaired
  std::uint32_t source_end = 0;
};

/// Tokens `first` to `last` (inclusive) of a context.
struct AnswerSpan {
  std::int32_t first = 0;
  std::int32_t last = 0;

  auto operator<=>(const AnswerSpan&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// The context of questions. Immutable.
struct QuestionContext {
  std::string text;  ///< valid UTF-8
  /// Tokens of the whole context, even if it is cut into windows.
  std::vector<ContextRange> tokens;

  /// The range of these tokens.
  ContextRange range(const AnswerSpan& span) const;
  /// Returns their text, including everything between them.
  std::string_view answer(const AnswerSpan& span) const;
};

/// Agreement of an answer with a reference answer, in [0, 1].
struct AnswerAgreement {
  double exact = 0.0;  ///< 1 if both texts are equal after normalization, else 0
  double f1 = 0.0;     ///< over words
};

/// Agreement of two answers with these normalized words. Exact match is 1 if they are equal. F1
/// counts each common word as often as both have it, and is 0 without common words. Any thread.
AnswerAgreement answer_agreement(std::span<const std::string> predicted,
                                 std::span<const std::string> reference);

/// Returns the normalized words of an answer.
using AnswerWords = std::vector<std::string> (*)(std::string_view answer);

/// The most probable answer, and its probability.
struct AnswerPrediction : TaskPrediction {
  AnswerPrediction() = default;
  AnswerPrediction(AnswerSpan tokens, float share) : span(tokens), probability(share) {}

  AnswerSpan span;
  float probability = 0.0F;
};

/// A question with the data for scoring and writing its answers.
struct AskedQuestion : TaskGold {
  /// `reference_answers`: the texts of the reference answers; empty if unknown.
  AskedQuestion(std::string question_id, std::shared_ptr<const QuestionContext> question_context,
                std::span<const std::string> reference_answers, AnswerWords answer_words);

  bool can_be_learned() const override { return !spans.empty(); }
  /// The windows, the spans and the reference answers.
  std::string text() const override;

  /// Agreement of tokens of the context with the reference answers. Each figure is the maximum over
  /// all references. Any thread.
  AnswerAgreement agreement(const AnswerSpan& tokens) const;

  std::vector<std::int32_t> window_begins;  ///< first token of each window of the context
  std::vector<AnswerSpan> spans;            ///< distinct occurrences of the reference answers
  std::string id;
  std::shared_ptr<const QuestionContext> context;
  std::vector<std::vector<std::string>> references;  ///< words of the distinct reference answers
  AnswerWords words_of;
};

/// Exact match and F1 of SQuAD 1.1 (Rajpurkar et al. 2016, section 6.1): means over the questions,
/// in percent. One thread.
class AnswerScores final : public TaskScores {
 public:
  /// AskedQuestion and AnswerPrediction.
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

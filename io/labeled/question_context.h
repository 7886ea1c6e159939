// Answers as SQuAD's scorer compares them.
//
// The context of questions: its text, and the positions of its tokens in bytes and in code points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tasks/answer_scores.h"
#include "io/text/segment/utf8.h"

namespace elmo {

/// The words of an answer (valid UTF-8), normalized like SQuAD 1.1's official scorer
/// (evaluate-v1.1.py) does: in lower case, without ASCII punctuation, without the words "a", "an"
/// and "the", split at white space. Normalized texts are equal if their words are. Any thread.
std::vector<std::string> answer_words(std::string_view answer);

/// Agreement of two answers with these words. Exact match is 1 if they are equal. F1 counts each
/// common word as often as both have it, and is 0 without common words. Any thread.
AnswerAgreement answer_agreement(std::span<const std::string> predicted,
                                 std::span<const std::string> reference);

/// A half-open range of a valid text, in bytes and in code points.
struct TextPlace {
  std::uint32_t byte_begin = 0;
  std::uint32_t byte_end = 0;
  std::uint32_t code_point_begin = 0;
  std::uint32_t code_point_end = 0;
};

/// Immutable.
struct QuestionContext {
  RepairedText text;
  std::vector<TextPlace> tokens;  ///< of the whole context, whether or not it is cut into windows

  /// The range of tokens `first` to `last` (inclusive).
  TextPlace place_of(std::int32_t first, std::int32_t last) const {
    const TextPlace& begin = tokens[static_cast<std::size_t>(first)];
    const TextPlace& end = tokens[static_cast<std::size_t>(last)];
    return {begin.byte_begin, end.byte_end, begin.code_point_begin, end.code_point_end};
  }
  /// Their text, including everything between them.
  std::string_view answer(std::int32_t first, std::int32_t last) const {
    const TextPlace place = place_of(first, last);
    return text.text().substr(place.byte_begin, place.byte_end - place.byte_begin);
  }
};

/// A question with the data for scoring and writing its answers. Immutable.
class AskedQuestion final : public ReferenceAnswers {
 public:
  /// `answers`: the texts of the reference answers; empty if unknown.
  AskedQuestion(std::string id, std::shared_ptr<const QuestionContext> context,
                const std::vector<std::string>& answers);

  const std::string& id() const { return id_; }
  const QuestionContext& context() const { return *context_; }

  AnswerAgreement agreement(std::int32_t first, std::int32_t last) const override;

 private:
  std::string id_;
  std::shared_ptr<const QuestionContext> context_;
  std::vector<std::vector<std::string>> answers_;  // normalized by answer_words()
};

/// The question of a record that open_qa_examples() made.
inline const AskedQuestion& asked_question(const TaskRecord& record) {
  return static_cast<const AskedQuestion&>(*record.gold_as<ReferenceAnswers>());
}

}  // namespace elmo

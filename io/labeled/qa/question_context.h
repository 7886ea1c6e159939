// The context of questions: its text, and the positions of its tokens in bytes and in code points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/tasks/qa/answer_scores.h"
#include "io/text/segment/utf8.h"

namespace elmo {

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

}  // namespace elmo

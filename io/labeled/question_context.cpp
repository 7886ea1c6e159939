#include "io/labeled/question_context.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "io/text/segment/characters.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

// Python's string.punctuation.
bool is_ascii_punctuation(std::int32_t code_point) {
  return (code_point >= '!' && code_point <= '/') || (code_point >= ':' && code_point <= '@') ||
         (code_point >= '[' && code_point <= '`') || (code_point >= '{' && code_point <= '~');
}

bool is_article(std::string_view run) { return run == "a" || run == "an" || run == "the"; }

}  // namespace

std::vector<std::string> answer_words(std::string_view answer) {
  std::string text;
  for (const char letter : lower_case(answer)) {
    if (!is_ascii_punctuation(letter)) text += letter;
  }
  std::vector<std::string> words;
  std::string word;
  std::string run;  // letters and numbers at the end of `word`
  const auto end_run = [&] {
    // An article is replaced by a space.
    if (!is_article(run)) {
      word += run;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
    run.clear();
  };
  const auto end_word = [&] {
    end_run();
    if (!word.empty()) words.push_back(std::exchange(word, {}));
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const auto code_point = next_code_point(text, at);
    const std::string_view character = std::string_view(text).substr(begin, at - begin);
    if (is_letter_or_number(code_point)) {
      run += character;
    } else if (is_white_space(code_point)) {
      end_word();
    } else {
      end_run();
      word += character;
    }
  }
  end_word();
  return words;
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

// Agreement of answers, averaged over questions.
#include "core/tasks/answer_scores.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>

namespace elmo {
namespace {

/// Splits at single spaces.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// A context of one-letter tokens with single spaces between them.
std::shared_ptr<const QuestionContext> letters(const std::string& text) {
  auto context = std::make_shared<QuestionContext>();
  context->text = text;
  for (std::uint32_t at = 0; at < text.size(); at += 2) {
    context->tokens.push_back({at, at + 1, at, at + 1, 3 * at, 3 * at + 3});
  }
  return context;
}

}  // namespace

TEST_CASE("an answer has the text and the positions of its tokens") {
  const auto context = letters("a b c d");
  CHECK(context->answer({1, 2}) == "b c");
  CHECK(context->range({1, 2}).code_point_begin == 2);
  CHECK(context->range({1, 2}).code_point_end == 5);
  CHECK(context->range({1, 2}).source_begin == 6);
  CHECK(context->range({1, 2}).source_end == 15);
}

TEST_CASE("agreement counts words as often as both answers have them") {
  const auto agreement = [](const char* predicted, const char* reference) {
    return answer_agreement(words_of(predicted), words_of(reference));
  };
  CHECK(agreement("Broncos", "Broncos").exact == 1.0);
  CHECK(agreement("Broncos", "Broncos").f1 == 1.0);
  // 2 of 3 words match 2 of 4: F1 = 2 · 2/3 · 2/4 / (2/3 + 2/4).
  CHECK(agreement("big big dog", "big dog of mine").exact == 0.0);
  CHECK(agreement("big big dog", "big dog of mine").f1 == doctest::Approx(4.0 / 7.0));
  CHECK(agreement("big big", "big big big").f1 == doctest::Approx(0.8));
  CHECK(agreement("dog big", "big dog").exact == 0.0);
  CHECK(agreement("dog big", "big dog").f1 == 1.0);
  CHECK(agreement("cat", "dog").f1 == 0.0);
  // Two equal texts without words: the official scorer's F1 is then 0.
  CHECK(agreement("", "").exact == 1.0);
  CHECK(agreement("", "").f1 == 0.0);
}

TEST_CASE("scores of answers are means over questions of the best agreement") {
  AnswerScores scores;
  CHECK(scores.score() == 0.0);
  TaskRecord record;
  const std::vector<std::string> references = {"c d", "x", "c d"};
  const auto question =
      std::make_shared<const AskedQuestion>("q", letters("a b c d"), references, words_of);
  CHECK(question->references.size() == 2);
  record.gold = question;
  scores.add(record, AnswerPrediction({2, 3}, 1.0F));  // c d
  scores.add(record, AnswerPrediction({3, 3}, 1.0F));  // d: F1 = 2/3
  scores.add(record, AnswerPrediction({0, 1}, 1.0F));  // a b: 0
  scores.add(record, AnswerPrediction({1, 3}, 1.0F));  // b c d: F1 = 4/5
  CHECK(scores.score() == doctest::Approx(100.0 * (1.0 + 2.0 / 3.0 + 0.8) / 4.0));
  const std::vector<ScoreFigure> figures = scores.figures();
  REQUIRE(figures.size() == 2);
  CHECK(figures[0].name == "exact_match");
  CHECK(std::get<double>(figures[0].value) == 25.0);
  CHECK(figures[1].name == "f1");
  CHECK(std::get<double>(figures[1].value) == scores.score());
}

}  // namespace elmo

#include "io/labeled/answer_words.h"

#include <cstddef>
#include <cstdint>
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

}  // namespace elmo

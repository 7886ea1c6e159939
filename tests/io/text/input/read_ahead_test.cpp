#include "io/text/input/read_ahead.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace elmo {
namespace {

/// Adds the text's characters to words that a space ends; '.' has not come yet, once, and '!' is an
/// error.
class Words {
 public:
  explicit Words(std::string text) : text_(std::move(text)) {}

  bool operator()(std::string& word) {
    while (at_ < text_.size()) {
      const char next = text_[at_++];
      if (next == ' ') return true;
      if (next == '.') throw WouldWait();
      if (next == '!') throw std::runtime_error("damaged");
      word += next;
    }
    return false;
  }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

std::string next_word(ReadAhead<std::string>& ahead, Words& words) {
  std::string word;
  return ahead.next(word, words) ? word : "end";
}

}  // namespace

TEST_CASE("an item that has come in part is read on, by whatever asks next") {
  Words words("on.e tw.o three ");
  ReadAhead<std::string> ahead;
  Waiting waiting;
  CHECK(ahead.would_wait(waiting, words));
  CHECK(next_word(ahead, words) == "one");
  CHECK(ahead.would_wait(waiting, words));
  CHECK_FALSE(ahead.would_wait(waiting, words));
  CHECK(next_word(ahead, words) == "two");
  CHECK(next_word(ahead, words) == "three");
  CHECK_FALSE(ahead.would_wait(waiting, words));
  CHECK(next_word(ahead, words) == "end");
}

TEST_CASE("an error met ahead is thrown by what reads on") {
  Words words("one !");
  ReadAhead<std::string> ahead;
  Waiting waiting;
  CHECK(next_word(ahead, words) == "one");
  CHECK_FALSE(ahead.would_wait(waiting, words));
  for (int i = 0; i < 2; ++i) CHECK_THROWS_AS(next_word(ahead, words), std::runtime_error);
}

TEST_CASE("what comes next can be looked at before it is taken") {
  Words words("one two !");
  ReadAhead<std::string> ahead;
  for (int i = 0; i < 2; ++i) {
    const std::string* next = ahead.peek(words);
    REQUIRE(next != nullptr);
    CHECK(*next == "one");
  }
  CHECK(next_word(ahead, words) == "one");
  CHECK(next_word(ahead, words) == "two");
  CHECK(ahead.peek(words) == nullptr);
  CHECK_THROWS_AS(next_word(ahead, words), std::runtime_error);
}

}  // namespace elmo

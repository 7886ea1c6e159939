// Word files of published models, and as people write them.
#include "io/model/vocabulary.h"

#include <doctest/doctest.h>

#include <string>

#include "core/error.h"

namespace elmo {
namespace {

std::string error_of_vocabulary(const std::string& text) {
  try {
    parse_word_list(text, "words");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a byte order mark is not part of the first word") {
  const std::string text = "\xef\xbb\xbf<S>\r\n</S>\r\n<UNK>\r\nword\r\n";
  CHECK(parse_vocabulary(text, "words").word(0) == "<S>");
  CHECK(parse_word_list(text, "words").word(3) == "word");
}

TEST_CASE("a blank line is a row of a published table, but not a word to train with") {
  const std::string text = "<S>\n</S>\n<UNK>\n \nword\n";
  CHECK(parse_vocabulary(text, "words").row("word") == 4);
  CHECK(error_of_vocabulary(text) ==
        "words: word 4 is blank; expected a word of UTF-8 on every line");
}

TEST_CASE("invalid UTF-8 is not a word to train with") {
  const std::string text = "<S>\n</S>\n<UNK>\ncaf\xe9\n";
  CHECK(parse_vocabulary(text, "words").size() == 4);
  CHECK(error_of_vocabulary(text).find("word 4 is not valid UTF-8: caf\\xe9;") !=
        std::string::npos);
}

}  // namespace elmo

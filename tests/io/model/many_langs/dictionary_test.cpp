#include "io/model/many_langs/dictionary.h"

#include <doctest/doctest.h>

#include "core/error.h"

namespace elmo {
namespace {

using Keys = std::vector<std::string>;

std::string refusal_of_dictionary(const std::string& text) {
  try {
    parse_dictionary(text, "char.dic");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("a dictionary's keys stand in the order of their rows, whatever that of its lines") {
  CHECK(parse_dictionary("b\t1\na\t0\n<pad>\t2\n", "d") == Keys{"a", "b", "<pad>"});
  CHECK(parse_dictionary("a\t0\r\nb\t1", "d") == Keys{"a", "b"});
  CHECK(parse_dictionary("", "d").empty());
}

TEST_CASE("white space around a line is no part of it, and a key that is white space is U+3000") {
  CHECK(parse_dictionary("a\t0\n\u3000\t1\n", "d") == Keys{"a", "\u3000"});
  CHECK(parse_dictionary(" \t1\na\t0\n", "d") == Keys{"a", "\u3000"});
  CHECK(parse_dictionary("\u00a0\t0\n", "d") == Keys{"\u3000"});
  CHECK(parse_dictionary("\u2028a\t0 \x1c\n", "d") == Keys{"a"});
  CHECK(parse_dictionary("Việt Nam\t0\n", "d") == Keys{"Việt Nam"});
}

TEST_CASE("what is no dictionary is refused, with the line") {
  CHECK(refusal_of_dictionary("a\t0\nb\n").find("char.dic:2: holds b; expected a key, a tab") == 0);
  CHECK(refusal_of_dictionary("a\t0\n\nb\t1\n").find("char.dic:2: ") == 0);
  CHECK(refusal_of_dictionary("a\t-1\n").find("char.dic:1: ") == 0);
  CHECK(refusal_of_dictionary("a\t0x0\n").find("char.dic:1: ") == 0);
  CHECK(refusal_of_dictionary("a\t0\tb\n").find("char.dic:1: ") == 0);
  CHECK(refusal_of_dictionary("a\t99999999999999999999\n").find("char.dic:1: ") == 0);
  CHECK(refusal_of_dictionary("a\t0\nb\t2\n").find("char.dic:2: row 2 of 2 entries") == 0);
  CHECK(refusal_of_dictionary("a\t0\na\t1\n").find("char.dic:2: the key of line 1 again") == 0);
  CHECK(refusal_of_dictionary("a\t0\nb\t0\n").find("char.dic:2: the row of line 1 again") == 0);
  CHECK(refusal_of_dictionary(" \t0\n\u3000\t1\n").find("char.dic:2: the key of line 1 again") ==
        0);
  CHECK(refusal_of_dictionary("a\t0\n\xff\t1\n").find("char.dic: byte 4 is no UTF-8") == 0);
}

}  // namespace
}  // namespace elmo

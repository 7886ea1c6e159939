#include "core/model/characters.h"

#include <doctest/doctest.h>

#include "core/error.h"

namespace elmo {
namespace {

const CharMarks kMarks{"<bos>", "<eos>", "<eow>", "<bow>", "<pad>", "<oov>"};

CharDictionary dictionary() {
  return {{"a", "é", "😀", "<", "<bos>", "<eos>", "<oov>", "<pad>", "<bow>", "<eow>", "ab"}, kMarks};
}

using Ids = std::vector<std::int32_t>;

Ids ids(const std::string& token, std::size_t length) {
  Ids all(length);
  const std::size_t count = dictionary().ids(token, all);
  all.push_back(static_cast<std::int32_t>(count));
  return all;
}

TEST_CASE(
    "a token's ids are its characters, framed, padded and cut, and their number is returned") {
  CHECK(ids("aé😀", 8) == Ids{9, 0, 1, 2, 8, 7, 7, 7, 5});
  CHECK(ids("", 4) == Ids{9, 8, 7, 7, 2});
  CHECK(ids("Aa", 7) == Ids{9, 6, 0, 8, 7, 7, 7, 4});
  CHECK(ids("aaaaaé", 7) == Ids{9, 0, 0, 0, 0, 0, 8, 7});
  // An entry of two characters never matches a text.
  CHECK(ids("ab", 7) == Ids{9, 0, 6, 8, 7, 7, 7, 4});
}

TEST_CASE("a token that is the name of a boundary becomes the boundary, other tokens are spelled") {
  CHECK(ids("<bos>", 7) == Ids{9, 4, 8, 7, 7, 7, 7, 3});
  CHECK(ids("<eos>", 7) == Ids{9, 5, 8, 7, 7, 7, 7, 3});
  CHECK(ids("<eos>xyz", 7) == Ids{9, 5, 8, 7, 7, 7, 7, 3});  // cut in the same way
  CHECK(ids("<pad>", 8) == Ids{9, 3, 6, 0, 6, 6, 8, 7, 7});
  Ids boundary(7);
  CHECK(dictionary().ids(Boundary::begin_sentence, boundary) == 3);
  CHECK(boundary == Ids{9, 4, 8, 7, 7, 7, 7});
  CHECK(dictionary().ids(Boundary::end_sentence, boundary) == 3);
  CHECK(boundary == Ids{9, 5, 8, 7, 7, 7, 7});
}

TEST_CASE("a dictionary without a mark or with a duplicate entry is refused") {
  CHECK_THROWS_WITH_AS(CharDictionary({"<bos>", "<eos>", "<eow>", "<bow>", "<oov>"}, kMarks),
                       doctest::Contains("do not have <pad>"), InputError);
  CHECK_THROWS_WITH_AS(CharDictionary({"a", "b", "a"}, kMarks), doctest::Contains("\"a\" twice"),
                       InputError);
}

TEST_CASE("characters are code points, and an invalid byte is unknown") {
  CHECK(count_characters("aé語😀") == 4);
  CHECK(count_characters("") == 0);
  CHECK(first_characters("aé語😀", 3) == "aé語");
  CHECK(first_characters("aé", 2) == "aé");
  CHECK(first_characters("aé", 9) == "aé");
  const std::string text = "\u00e9\u8a9e\U0001F600\x7f\xff\xe8\xaa";
  std::u32string found;
  for (std::size_t position = 0; position < text.size();) {
    found += decode_character(text, position);
  }
  CHECK(found == U"\u00e9\u8a9e\U0001F600\u007f\ufffd\ufffd\ufffd");
}

}  // namespace
}  // namespace elmo

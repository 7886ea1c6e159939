#include "core/model/vocabulary.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>

#include "core/error.h"

namespace elmo {
namespace {

TEST_CASE("a word's row is its position in the list, and unknown words share the row of <UNK>") {
  const Vocabulary vocabulary({"the", "<UNK>", "<S>", "</S>", "a", "語"});
  CHECK(vocabulary.size() == 6);
  CHECK(vocabulary.row("the") == 0);
  CHECK(vocabulary.row("a") == 4);
  CHECK(vocabulary.row("語") == 5);
  CHECK(vocabulary.row("The") == 1);
  CHECK(vocabulary.row("") == 1);
  CHECK(vocabulary.unknown() == 1);
  CHECK(vocabulary.begin_sentence() == 2);
  CHECK(vocabulary.end_sentence() == 3);
  CHECK(vocabulary.word(5) == "語");
}

TEST_CASE("a reserved word in a text is an unknown word") {
  const Vocabulary vocabulary({"<S>", "</S>", "<UNK>", "a"});
  for (const char* word : {"<S>", "</S>", "<UNK>"}) {
    CAPTURE(word);
    CHECK(vocabulary.row(word) == vocabulary.unknown());
    CHECK_FALSE(vocabulary.contains(word));
  }
  CHECK(vocabulary.contains("a"));
  CHECK_FALSE(vocabulary.contains("b"));
}

TEST_CASE("if reserved words are words, a text that spells them gets their rows") {
  const ReservedWords reserved{"<bos>", "<eos>", "<oov>", true};
  const Vocabulary vocabulary({"<oov>", "<eos>", "<bos>", "a"}, reserved);
  CHECK(vocabulary.row("<bos>") == 2);
  CHECK(vocabulary.row("<eos>") == 1);
  CHECK(vocabulary.row("<S>") == vocabulary.unknown());
  CHECK(vocabulary.contains("<bos>"));
  CHECK(vocabulary.begin_sentence() == 2);
  const Vocabulary without({"a", "<oov>"}, reserved);
  CHECK(without.begin_sentence() == 1);
  CHECK(without.end_sentence() == 1);
  CHECK_THROWS_WITH_AS(Vocabulary({"a"}, reserved), doctest::Contains("\"<oov>\""), InputError);
}

TEST_CASE("a word is also found by its form, unless another is spelled so") {
  const WordForm lower = [](std::string_view word) {
    std::string form(word);
    if (form != "<S>" && form != "</S>" && form != "<UNK>") {
      for (char& letter : form) letter = static_cast<char>(letter | 0x20);
    }
    return form;
  };
  const Vocabulary vocabulary({"<S>", "</S>", "<UNK>", "Bank", "bank", "River"}, {}, lower);
  CHECK(vocabulary.row("bank") == 4);
  CHECK(vocabulary.row("Bank") == 3);
  CHECK(vocabulary.row("river") == 5);
  CHECK(vocabulary.contains("river"));
  CHECK(vocabulary.row("RIVER") == vocabulary.unknown());
  CHECK(vocabulary.row("RIVER", "river") == 5);
  CHECK(vocabulary.row("Bank", "bank") == 3);
  CHECK(vocabulary.row("sea", "SEA") == vocabulary.unknown());
}

TEST_CASE("a moved vocabulary still knows its words") {
  Vocabulary first({"<S>", "</S>", "<UNK>", "a", "b"});
  const Vocabulary second = std::move(first);
  CHECK(second.row("a") == 3);
  CHECK(second.row("b") == 4);
}

TEST_CASE("a duplicate word is refused, with both lines") {
  CHECK_THROWS_WITH_AS(Vocabulary({"<S>", "</S>", "<UNK>", "a", "b", "a"}),
                       doctest::Contains("line 6 repeats the word \"a\" of line 4"), InputError);
  CHECK_THROWS_AS(Vocabulary({"<S>", "</S>", "<UNK>", "<S>"}), InputError);
}

TEST_CASE("a vocabulary without a reserved word is refused, naming it") {
  CHECK_THROWS_WITH_AS(Vocabulary({"</S>", "<UNK>"}), doctest::Contains("\"<S>\""), InputError);
  CHECK_THROWS_WITH_AS(Vocabulary({"<S>", "<UNK>"}), doctest::Contains("\"</S>\""), InputError);
  CHECK_THROWS_WITH_AS(Vocabulary({"<S>", "</S>"}), doctest::Contains("\"<UNK>\""), InputError);
  CHECK_THROWS_AS(Vocabulary({}), InputError);
}

}  // namespace
}  // namespace elmo

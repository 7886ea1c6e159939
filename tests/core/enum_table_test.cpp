#include "core/enum_table.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

namespace elmo {
namespace {

enum class Fruit { apple, pear, plum };

constexpr auto kFruits =
    enum_table<Fruit>({{"apple", Fruit::apple}, {"pear", Fruit::pear}, {"plum", Fruit::plum}});
constexpr auto kFewFruits = kFruits.only<Fruit::plum, Fruit::apple>();

static_assert(kFruits.word(Fruit::pear) == "pear" && kFruits.find("pear") == Fruit::pear);

TEST_CASE("an enum's table is read in both directions") {
  for (const auto& [word, fruit] : kFruits) {
    CHECK(kFruits.word(fruit) == word);
    CHECK(kFruits.find(word) == fruit);
  }
  CHECK_FALSE(kFruits.find("Apple").has_value());
  CHECK_FALSE(kFruits.find("").has_value());
  CHECK(kFruits.words() == "apple, pear, plum");
}

TEST_CASE("a part of a table has only some of the values, in its own order") {
  CHECK(kFewFruits.words() == "plum, apple");
  CHECK(kFewFruits.word(Fruit::apple) == "apple");
  CHECK_FALSE(kFewFruits.find("pear").has_value());
  CHECK_THROWS_AS(kFewFruits.word(Fruit::pear), std::logic_error);
}

TEST_CASE("a word or a value occurs once in a table") {
  CHECK_THROWS_AS(enum_table<Fruit>({{"apple", Fruit::apple}, {"apple", Fruit::pear}}),
                  std::logic_error);
  CHECK_THROWS_AS(enum_table<Fruit>({{"apple", Fruit::apple}, {"pear", Fruit::apple}}),
                  std::logic_error);
}

}  // namespace
}  // namespace elmo

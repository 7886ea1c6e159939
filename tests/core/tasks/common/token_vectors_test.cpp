// Words. The tests of the models cover the vectors.
#include "core/tasks/common/token_vectors.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace elmo {

TEST_CASE("words have rows from 1 on, and unknown ones row 0") {
  WordVocabulary words;
  CHECK(words.rows() == 1);
  CHECK(words.add("a", true));
  CHECK(words.add("A", false));
  CHECK_FALSE(words.add("a", false));
  CHECK(words.rows() == 3);
  CHECK(words.row("a") == 1);
  CHECK(words.row("A") == 2);
  CHECK(words.row("b") == 0);
  CHECK(words.is_rare(1));
  CHECK_FALSE(words.is_rare(2));
  CHECK_FALSE(words.is_rare(0));
  CHECK(words.words() == std::vector<std::string>{"a", "A"});
}

}  // namespace elmo

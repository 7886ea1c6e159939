#include "io/labeled/word_vectors.h"

#include <doctest/doctest.h>

#include <fstream>

#include "core/error.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {

TEST_CASE("word vectors") {
  const TempDir folder;
  const auto read = [&](const std::string& text) {
    const auto path = folder.path() / "words.txt";
    std::ofstream(path, std::ios::binary) << text;
    return read_word_vectors(path.string());
  };
  for (const char* text :
       {"a 1 2\nb -3 4e0\n. . 5 6\na 9 9\n", "3 2\na 1 2 \nb -3 4e0\r\n. . 5 6\n"}) {
    const WordVectors vectors = read(text);
    CHECK(vectors.columns == 2);
    CHECK(vectors.words.words() == std::vector<std::string>{"a", "b", ". ."});
    CHECK(vectors.values == AlignedVector<float>{1, 4, 1, 2, -3, 4, 5, 6});
  }
  const auto says = [&](const std::string& text, const std::string& word) {
    CAPTURE(text);
    try {
      read(text);
      FAIL("not refused");
    } catch (const InputError& error) {
      CHECK(std::string(error.what()).find(word) != std::string::npos);
    }
  };
  says("", "no word");
  says("a 1 2\nb 1\n", "line 2");
  says("a 1 2\nb 1 x\n", "'x'");
  says("a 1 2\nb 1 nan\n", "finite");
  says("a\n", "line 1");
  says("2 3\na 1 2\n", "found 2 numbers; expected 3, as the first line says");
  CHECK(read("2 2\nSan Francisco 1 2\na 3 4\n").words.words() ==
        std::vector<std::string>{"San Francisco", "a"});
}

}  // namespace elmo

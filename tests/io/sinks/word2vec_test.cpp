#include "io/sinks/word2vec.h"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "core/error.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

/// The averages of two words in two sentences: "a" twice, "b" once.
WordAverages two_words() {
  WordAverages averages({{"top"}, 2});
  std::vector<Sentence> sentences(2);
  sentences[0].add("a", {});
  sentences[0].add("b", {});
  sentences[1].add("a", {});
  const std::vector<float> values{1, 2, 0.25F, -1, 2, 4};
  averages.write({0, sentences, values});
  return averages;
}

TEST_CASE("word vectors as text: the most frequent word first, rare ones left out") {
  const TempDir dir;
  WordVectorFile all(dir / "all.txt", WordVectorFormat::text, false);
  CHECK(all.publish(two_words(), 1) == 2);
  CHECK(content_of(dir / "all.txt") == "2 2\na 1.5 3\nb 0.25 -1\n");
  WordVectorFile frequent(dir / "frequent.txt", WordVectorFormat::text, false);
  CHECK(frequent.publish(two_words(), 2) == 1);
  CHECK(content_of(dir / "frequent.txt") == "1 2\na 1.5 3\n");
}

TEST_CASE("word vectors in binary: the word, a blank and its numbers") {
  const TempDir dir;
  WordVectorFile(dir / "words.bin", WordVectorFormat::binary, false).publish(two_words(), 2);
  std::string expected = "1 2\na ";
  for (const float number : {1.5F, 3.0F}) {
    char bytes[sizeof(number)];
    std::memcpy(bytes, &number, sizeof(number));
    expected.append(bytes, sizeof(number));
  }
  CHECK(content_of(dir / "words.bin") == expected + '\n');
}

TEST_CASE("a file of word vectors is replaced on request only") {
  const TempDir dir;
  write_file(dir / "words.txt", "old");
  CHECK_THROWS_AS(WordVectorFile(dir / "words.txt", WordVectorFormat::text, false), RequestError);
  CHECK(content_of(dir / "words.txt") == "old");
  WordVectorFile(dir / "words.txt", WordVectorFormat::text, true).publish(two_words(), 1);
  CHECK(content_of(dir / "words.txt").starts_with("2 2\n"));
}

}  // namespace
}  // namespace elmo

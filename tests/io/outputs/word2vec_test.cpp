#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "core/error.h"
#include "io/outputs/sinks.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

/// Writes the averages of two words in two sentences: "a" occurs twice, "b" once. Returns the
/// summary.
std::string write_words(const std::filesystem::path& path, WordVectorFormat format,
                        std::uint64_t min_count, bool overwrite = false) {
  const auto sink = open_word_vectors({.path = path.string(), .overwrite = overwrite},
                                      {.layout = {{"top"}, 2}, .min_count = min_count}, format);
  std::vector<Sentence> sentences(2);
  sentences[0].add("a", {});
  sentences[0].add("b", {});
  sentences[1].add("a", {});
  const std::vector<float> values{1, 2, 0.25F, -1, 2, 4};
  sink->write({0, sentences, values});
  sink->finish();
  return sink->summary();
}

TEST_CASE("word vectors as text: the most frequent word first, rare words left out") {
  const TempDir dir;
  CHECK(write_words(dir / "all.txt", WordVectorFormat::text, 1) ==
        "2 of 2 words written, of 2 numbers each");
  CHECK(content_of(dir / "all.txt") == "2 2\na 1.5 3\nb 0.25 -1\n");
  CHECK(write_words(dir / "frequent.txt", WordVectorFormat::text, 2) ==
        "1 of 2 words written, of 2 numbers each");
  CHECK(content_of(dir / "frequent.txt") == "1 2\na 1.5 3\n");
}

TEST_CASE("word vectors in binary: the word, a blank and its numbers") {
  const TempDir dir;
  write_words(dir / "words.bin", WordVectorFormat::binary, 2);
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
  CHECK_THROWS_AS(write_words(dir / "words.txt", WordVectorFormat::text, 1), RequestError);
  CHECK(content_of(dir / "words.txt") == "old");
  write_words(dir / "words.txt", WordVectorFormat::text, 1, true);
  CHECK(content_of(dir / "words.txt").starts_with("2 2\n"));
}

}  // namespace
}  // namespace elmo

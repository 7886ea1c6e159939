// The line numbers of sentences that were cut.
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "core/inference/sentence.h"
#include "tests/io/text/reading.h"

namespace elmo {
namespace {

Lines lines_of_pieces(std::string_view text, std::size_t limit, const InputOptions& options = {}) {
  const auto source = open_source(options, "input", std::make_unique<MemoryBytes>(text));
  SentenceCutter cutter(*source, limit);
  Lines lines;
  Sentence sentence;
  while (cutter.next(sentence)) lines.push_back(sentence.line);
  return lines;
}

InputOptions reading(InputFormat format) {
  InputOptions options;
  options.format = format;
  return options;
}

}  // namespace

TEST_CASE("a piece of a sentence has the line of its own first token") {
  CHECK(lines_of_pieces("\na b c\nd e\nf g h i\n", 2) == Lines{2, 2, 3, 4, 4});
  CHECK(lines_of_pieces("a b\nc d\n\ne f\ng h i", 3) == Lines{1, 2, 4, 5});
  CHECK(lines_of_pieces("a b\nc d\n", 4) == Lines{1});
}

TEST_CASE("in CoNLL-U each word has a line, and in records and lines all share one") {
  const std::string rest = "\t_\t_\t_\t_\t_\t_\t_\t_\n";
  std::string text = "# a comment\n";
  for (const char* word : {"1\ta", "2\tb", "3\tc"}) text += word + rest;
  CHECK(lines_of_pieces(text, 2, reading(InputFormat::conllu)) == Lines{1, 4});
  CHECK(lines_of_pieces("\n{\"text\": \"a b\\nc d\\ne\"}\n", 1, reading(InputFormat::jsonl)) ==
        Lines{2, 2, 2, 2, 2});
  CHECK(lines_of_pieces("a b c\nd", 2, reading(InputFormat::tokens)) == Lines{1, 1, 2});
}

}  // namespace elmo

// Reading an input in parts: together they yield what one reader yields.
#include "io/text/input/input_range.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "core/error.h"
#include "io/shard/manifest.h"
#include "io/text/input/text_source.h"
#include "tests/fixtures/environment.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

/// Returns a sentence with all its numbers as one line.
std::string line_of(const Sentence& sentence, std::uint64_t number, const Document& document,
                    std::uint64_t line) {
  std::string text = std::to_string(number) + " " + std::to_string(document.number) + " " +
                     document.id + " " + std::to_string(line) + ":";
  for (std::size_t token = 0; token < sentence.size(); ++token) {
    text += " ";
    text += sentence.token(token);
    text += "@";
    text += std::to_string(sentence.spans()[token].begin);
    text += "-";
    text += std::to_string(sentence.spans()[token].end);
  }
  return text;
}

std::vector<std::string> read_whole(const InputOptions& options) {
  std::vector<std::string> lines;
  const auto source = open_source(options);
  Sentence sentence;
  while (source->next(sentence)) {
    lines.push_back(line_of(sentence, lines.size(), *sentence.document, sentence.line));
  }
  return lines;
}

/// Returns the sentences of all parts in order, numbered as in the whole input.
std::vector<std::string> read_parts(InputOptions options, std::uint64_t count) {
  std::vector<std::string> lines;
  PartBases bases;
  for (std::uint64_t number = 0; number < count; ++number) {
    options.part = InputPart{number, count};
    std::vector<Sentence> sentences;
    const auto source = open_source(options);
    Sentence sentence;
    std::uint64_t tokens = 0;
    while (source->next(sentence)) {
      tokens += sentence.size();
      sentences.push_back(std::move(sentence));
      sentence = Sentence();
    }
    const PartBase base = bases.next(source->part_counts().value(), sentences.size(), tokens);
    CHECK(base.sentences == lines.size());
    for (const Sentence& one : sentences) {
      lines.push_back(line_of(one, lines.size(), base.joined(*one.document),
                              base.line(one.line, one.document->number)));
    }
  }
  return lines;
}

/// Texts that are hard to cut, with their options.
class RandomCorpus {
 public:
  explicit RandomCorpus(std::uint64_t seed) : chance_(seed) {
    switch (below(8)) {
      case 0:
      case 1:
        break;
      case 2:
        options_.lines = true;
        break;
      case 3:
        options_.format = InputFormat::tokens;
        break;
      case 4:
        options_.format = InputFormat::jsonl;
        options_.skip_bad_records = true;
        options_.lines = below(2) == 0;
        break;
      case 5:
        options_.format = InputFormat::conllu;
        break;
      case 6:
        options_.format = InputFormat::fasta;
        break;
      case 7:
        options_.format = InputFormat::vertical;
        break;
    }
    end_ = below(3) == 0 ? "\r\n" : "\n";
    options_.tokenizer.kind =
        std::array{TokenizerKind::icu, TokenizerKind::ud, TokenizerKind::moses}[below(3)];
    options_.tokenizer.locale = std::array{"", "fr", "ko"}[below(3)];
  }

  const InputOptions& options() const { return options_; }

  /// Writes the files into a folder and adds their names to the options.
  void write(const std::filesystem::path& folder) {
    const std::size_t files = 1 + below(4);
    for (std::size_t number = 0; number < files; ++number) {
      const std::filesystem::path path = folder / (std::string("file") + std::to_string(number));
      std::ofstream(path, std::ios::binary) << file();
      options_.files.push_back(path.string());
    }
  }

  std::size_t below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(chance_);
  }

 private:
  std::string file() {
    if (below(8) == 0) return "";
    std::string text = below(6) == 0 ? "\xef\xbb\xbf" : "";
    if (options_.format == InputFormat::fasta) text += "\n>first\nM\n";
    const std::size_t lines = below(20);
    for (std::size_t line = 0; line < lines; ++line) text += one_line() + end_;
    if (below(3) == 0) text += one_line();  // no line feed at the end
    return text;
  }

  std::string one_line() {
    const bool blank = below(4) == 0;
    if (options_.format == InputFormat::fasta) {
      const std::string residues(1 + below(90), static_cast<char>('A' + below(26)));
      const std::string end = below(5) == 0 ? "*" : "";
      // A sequence follows each header, and a header each end.
      return end.empty() ? residues : residues + end + end_ + ">" + word() + end_ + residues;
    }
    if (options_.format == InputFormat::vertical) {
      if (blank) return std::array{"", "<s>", "</s>", "<p>", "<doc id=\"x\">"}[below(5)];
      return word() + "\tNN";
    }
    if (options_.format == InputFormat::conllu) {
      if (blank) return "";
      if (below(5) == 0) return std::string("# newdoc id = d") + std::to_string(below(9));
      // Each word is its own sentence, so any lines are valid CoNLL-U.
      return std::string("1\t") + word() + "\t_\t_\t_\t_\t0\t_\t_\t_" + end_;
    }
    if (options_.format == InputFormat::jsonl) {
      if (blank) return below(2) == 0 ? "" : "  ";
      if (below(12) == 0) return "{\"broken\"";
      std::string id;
      if (below(3) == 0) id = std::string("\"id\": ") + std::to_string(below(8)) + ", ";
      if (below(6) == 0) id = std::string("\"id\": \"") + word() + "\", ";
      std::string body = words(below(8));
      if (below(4) == 0) body += std::string("\\n\\n") + words(3);
      return std::string("{") + id + "\"text\": \"" + body + "\"}";
    }
    if (blank) {
      static const std::vector<std::string> kBlanks{
          "", "", " ", "\t ", "\xc2\xa0", "\xe3\x80\x80", "\xe2\x80\x8b"};
      return kBlanks[below(kBlanks.size())];
    }
    std::string line = std::string(below(5) == 0 ? below(120) : 0, ' ');
    // Some lines are wide, some just at the limit, a few huge.
    switch (below(12)) {
      case 0:
        return line + words(20 + below(60));
      case 1: {
        const std::size_t width = 98 + below(5);
        while (line.size() < width) line += word() + " ";
        return line.substr(0, width);
      }
      case 2:
        return line + words(200 + below(3000));
      default:
        return line + words(1 + below(12));
    }
  }

  std::string words(std::size_t count) {
    std::string text;
    for (std::size_t index = 0; index < count; ++index) {
      if (index > 0) text += ' ';
      text += word();
    }
    return text;
  }

  std::string word() {
    static const std::vector<std::string> kWords{"one",
                                                 "Two.",
                                                 "three,",
                                                 "Mr.",
                                                 "e.g.",
                                                 "naïve",
                                                 "日本語。",
                                                 "\xf0\x9f\x98\x80",
                                                 "Ende!",
                                                 "(x)",
                                                 "\xd0\xb4\xd0\xb0.",
                                                 "3.14",
                                                 "caf\xc3\xa9",
                                                 "U.S.",
                                                 "end.",
                                                 "What?",
                                                 "-",
                                                 "#",
                                                 "1.",
                                                 "2)",
                                                 "80",
                                                 "000",
                                                 "http://a.b/c.",
                                                 ":-)",
                                                 "Er."};
    static const std::vector<std::string> kBroken{"\xff", "\xe2\x82", "\xf0\x9f"};
    if (options_.format != InputFormat::jsonl && below(25) == 0) {
      return kBroken[below(kBroken.size())];
    }
    return kWords[below(kWords.size())];
  }

  std::mt19937_64 chance_;
  InputOptions options_;
  std::string end_;
};

TEST_CASE("the parts of random corpora together equal the whole") {
  const std::uint64_t first = environment_number("ELMO_RANDOM_SEED", std::random_device()());
  const std::uint64_t count = environment_number("ELMO_RANDOM_CORPORA", 150);
  MESSAGE("seed ", first, ", ", count, " corpora");
  const TempDir dir;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    const std::filesystem::path folder = dir.path() / std::to_string(seed);
    std::filesystem::create_directory(folder);
    RandomCorpus corpus(seed);
    corpus.write(folder);
    const std::vector<std::string> whole = read_whole(corpus.options());
    const std::uint64_t parts = corpus.below(4) == 0 ? 1 + corpus.below(300) : 1 + corpus.below(9);
    CAPTURE(parts);
    const std::vector<std::string> joined = read_parts(corpus.options(), parts);
    REQUIRE(joined.size() == whole.size());
    const auto difference = std::ranges::mismatch(joined, whole);
    if (difference.in1 != joined.end()) REQUIRE(*difference.in1 == *difference.in2);
    std::filesystem::remove_all(folder);
  }
}

InputOptions options_of(const TempDir& dir, const std::string& text) {
  std::ofstream(dir.path() / "text", std::ios::binary) << text;
  InputOptions options;
  options.files = {(dir.path() / "text").string()};
  return options;
}

TEST_CASE("a text can be cut at every byte") {
  const TempDir dir;
  const std::string wide(101, 'w');
  for (const std::string& text :
       {std::string("\xef\xbb\xbf"
                    "A first line\nwrapped by hand.\n\nSecond. It goes\non.\n") +
            wide + " end.\nShort.\n \nLast",
        std::string("\n\n \n\n"), std::string("\r\n\r\nOne.\r\n\r\n\r\nTwo\r\n"),
        std::string("日本語。\n\n猫である。\n\n\xff\xfe. Broken.\n")}) {
    const InputOptions options = options_of(dir, text);
    const std::vector<std::string> whole = read_whole(options);
    for (std::uint64_t parts = 1; parts <= text.size() + 2; ++parts) {
      CAPTURE(parts);
      CHECK(read_parts(options, parts) == whole);
    }
  }
}

TEST_CASE("pieces of a long paragraph do not depend on where the parts are cut") {
  // A paragraph longer than a piece, lines of 60 columns, then others.
  std::string text;
  for (int line = 0; line < 40000; ++line) {
    text += "The " + std::to_string(line) + "th line of a paragraph that goes on";
    text += line % 7 == 0 ? ".\n" : "\n";
  }
  text += "\nNext. Paragraph.\n\n" + std::string(3 << 20, 'x') + " y. Z.\n\nEnd.\n";
  const TempDir dir;
  const InputOptions options = options_of(dir, text);
  const std::vector<std::string> whole = read_whole(options);
  for (const std::uint64_t parts : {2U, 5U, 16U}) CHECK(read_parts(options, parts) == whole);
}

TEST_CASE("a line longer than the maximum sentence stays in one part") {
  const TempDir dir;
  InputOptions options =
      options_of(dir, "a\n" + std::string(kMaxSentenceBytes + 5, 'b') + " c\nd\n");
  options.format = InputFormat::tokens;
  const std::vector<std::string> whole = read_whole(options);
  CHECK(read_parts(options, 7) == whole);
}

FileList twice(const std::string& path, std::uint64_t size) {
  FileList files;
  files.add(path, size);
  files.add(path, size);
  return files;
}

TEST_CASE("files that cannot be cut belong to the part with their first byte") {
  const TempDir dir;
  const InputOptions options =
      options_of(dir, std::string("\x1f\x8b\x08", 3) + std::string(97, '\n'));
  const FileList files = twice(options.files[0], 100);
  InputOptions part = options;
  part.part = InputPart{0, 2};
  REQUIRE(range_of_part(files, part).size() == 1);
  CHECK(range_of_part(files, part).stretch(0).whole());
  part.part = InputPart{1, 4};
  CHECK(range_of_part(files, part).size() == 0);
  part.part = InputPart{2, 4};
  CHECK(range_of_part(files, part).size() == 1);
}

TEST_CASE("inputs that can be read only once have no parts") {
  InputOptions options;
  options.part = InputPart{0, 2};
  CHECK_THROWS_AS(open_source(options), RequestError);
}

TEST_CASE("sizes near the maximum are divided without overflow") {
  const TempDir dir;
  InputOptions options = options_of(dir, "x\n");
  options.format = InputFormat::conllu;
  const std::uint64_t huge = std::uint64_t{1} << 62;
  const FileList files = twice(options.files[0], huge);
  options.part = InputPart{50'000, 100'000};
  CHECK(range_of_part(files, options).size() == 1);
  options.part = InputPart{99'999, 100'000};
  CHECK(range_of_part(files, options).size() == 0);
}

}  // namespace
}  // namespace elmo

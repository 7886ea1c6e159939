// Inputs that arrive in pieces: sentences that can be read without waiting, and results that do not
// depend on timing. Reading from a stored position: yields the remaining sentences.
#include "io/text/input/text_source.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <ranges>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/inference/sentence.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/text/reading.h"

namespace elmo {
namespace {

/// A pipe whose reading end can be opened by its path.
class Pipe {
 public:
  Pipe() { REQUIRE(::pipe(ends_) == 0); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    end();
    ::close(ends_[0]);
  }

  std::string path() const { return "/dev/fd/" + std::to_string(ends_[0]); }
  void write(std::string_view text) const {
    REQUIRE(::write(ends_[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  void end() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
};

InputOptions reading(InputFormat format, std::vector<std::string> files, bool lines = false) {
  InputOptions options;
  options.format = format;
  options.files = std::move(files);
  options.lines = lines;
  return options;
}

/// Time after which a test waits for something that will never come.
constexpr std::chrono::seconds kPatience(60);

/// True if the next sentence has not arrived and needs more input.
bool waits(SentenceSource& source) { return !source.wait(std::chrono::milliseconds(1)); }

/// Returns the next sentence, which must be available without more input.
std::string next_tokens(SentenceSource& source) {
  Sentence sentence;
  REQUIRE(source.wait(kPatience));
  REQUIRE(source.next(sentence));
  std::string tokens;
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    if (i > 0) tokens += '|';
    tokens += sentence.token(i);
  }
  return tokens;
}

void check_end(SentenceSource& source) {
  Sentence sentence;
  CHECK(source.wait(kPatience));
  CHECK_FALSE(source.next(sentence));
  CHECK(source.wait(kPatience));
}

struct Record {
  InputFormat format;
  bool lines;
  std::string_view record;  // its end is known without further input
  std::string_view tokens;
};

constexpr Record kRecords[] = {
    {InputFormat::text, true, "A\n", "A"},
    {InputFormat::text, false, "A b.\n\n", "A|b|."},
    {InputFormat::tokens, false, "B.\n", "B."},
    {InputFormat::jsonl, false, "{\"text\": \"A b\"}\n", "A|b"},
    {InputFormat::conllu, false, "1\tA\t_\t_\t_\t_\t_\t_\t_\t_\n\n", "A"},
    {InputFormat::vertical, false, "<s>\nA\tDT\nb\tNN\n</s>\n", "A|b"},
};

}  // namespace

TEST_CASE("a whole record is read without waiting for more") {
  for (const Record& kind : kRecords) {
    CAPTURE(kind.record);
    Pipe pipe;
    const auto source = open_source(reading(kind.format, {pipe.path()}, kind.lines));
    CHECK(waits(*source));
    for (int repeat = 0; repeat < 3; ++repeat) {
      for (const char byte : kind.record) {
        CHECK(waits(*source));
        pipe.write(std::string_view(&byte, 1));
      }
      CHECK(next_tokens(*source) == kind.tokens);
    }
    CHECK(waits(*source));
    pipe.end();
    check_end(*source);
  }
}

TEST_CASE("several records that have arrived are read without waiting, then the end") {
  for (const Record& kind : kRecords) {
    CAPTURE(kind.record);
    Pipe pipe;
    const auto source = open_source(reading(kind.format, {pipe.path()}, kind.lines));
    const std::string record(kind.record);
    pipe.write(record + record + record.substr(0, record.size() - 1));
    CHECK(next_tokens(*source) == kind.tokens);
    CHECK(next_tokens(*source) == kind.tokens);
    CHECK(waits(*source));
    pipe.end();
    CHECK(next_tokens(*source) == kind.tokens);
    check_end(*source);
  }
}

TEST_CASE("a short line of text may continue, and a wide one ends its paragraph") {
  Pipe pipe;
  const auto source = open_source(reading(InputFormat::text, {pipe.path()}));
  pipe.write("It was a short line.\n");
  CHECK(waits(*source));
  pipe.write("And it went on.\n");
  CHECK(waits(*source));
  pipe.write("\n");
  CHECK(next_tokens(*source) == "It|was|a|short|line|.");
  CHECK(next_tokens(*source) == "And|it|went|on|.");
  CHECK(waits(*source));
  pipe.write(std::string(200, 'x') + "\n");
  CHECK(next_tokens(*source) == std::string(200, 'x'));
  CHECK(waits(*source));
  pipe.end();
  check_end(*source);
}

TEST_CASE("the pieces of a cut sentence need not be waited for") {
  Pipe pipe;
  InputOptions options = reading(InputFormat::tokens, {pipe.path()});
  options.max_sentence_tokens = 2;
  const auto source = open_source(options);
  pipe.write("a b c\n");
  CHECK(next_tokens(*source) == "a|b");
  CHECK(next_tokens(*source) == "c");
  CHECK(source->cut_sentences() == 1);
  CHECK(waits(*source));
}

TEST_CASE("an error found while waiting is thrown when reading") {
  Pipe pipe;
  const auto source = open_source(reading(InputFormat::jsonl, {pipe.path()}));
  pipe.write("{\"text\": \"A\"}\n{\n");
  CHECK(next_tokens(*source) == "A");
  CHECK(source->wait(kPatience));
  Sentence sentence;
  for (int i = 0; i < 2; ++i) CHECK_THROWS_AS(source->next(sentence), InputError);
}

TEST_CASE("a FIFO without a writer is opened without waiting, and reading it would wait") {
  const TempDir folder;
  const std::string path = folder / "fifo";
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  std::atomic<bool> stop = false;
  const InputOptions options = reading(InputFormat::tokens, {path});
  const auto source = open_source(options, {.stop = &stop});
  CHECK(waits(*source));
  std::thread writer([&path] {
    std::FILE* file = std::fopen(path.c_str(), "w");
    std::fputs("a b\n", file);
    std::fclose(file);
  });
  Sentence sentence;
  REQUIRE(source->next(sentence));
  CHECK(sentence.size() == 2);
  writer.join();
  check_end(*source);

  const auto stopped = open_source(options, {.stop = &stop});
  stop = true;
  CHECK_THROWS_AS(stopped->next(sentence), ReadingStopped);
}

TEST_CASE("a stop in the middle of a record is not the end of the input") {
  for (const Record& kind : kRecords) {
    CAPTURE(kind.record);
    Pipe pipe;
    std::atomic<bool> stop = false;
    const auto source =
        open_source(reading(kind.format, {pipe.path()}, kind.lines), {.stop = &stop});
    pipe.write(kind.record.substr(0, 1));
    CHECK(waits(*source));
    stop = true;
    Sentence sentence;
    CHECK_THROWS_AS(source->next(sentence), ReadingStopped);
  }
}

TEST_CASE("a source can be destroyed while it waits for a pipe, or before all of it is read") {
  Pipe pipe;
  CHECK(waits(*open_source(reading(InputFormat::tokens, {pipe.path()}))));
  const std::string text(std::size_t{4} << 20, '\n');
  const auto source =
      open_source(reading(InputFormat::tokens, {}), "input", std::make_unique<MemoryBytes>(text));
  CHECK(next_tokens(*source).empty());
}

TEST_CASE("counts cover the returned sentences only, however much has been read") {
  InputOptions options = reading(InputFormat::tokens, {});
  const auto source =
      open_source(options, "input", std::make_unique<MemoryBytes>("\xff\n\n\xff \xff\n"));
  Sentence sentence;
  CHECK(source->counters().invalid_sequences == 0);
  for (const std::uint64_t count : {1U, 1U, 3U}) {
    CHECK(source->wait(kPatience));
    REQUIRE(source->next(sentence));
    CHECK(source->counters().invalid_sequences == count);
  }
  CHECK(source->sentences() == 3);
  CHECK(source->tokens() == 3);
}

TEST_CASE("files are never waited for") {
  const TempDir folder;
  std::FILE* file = std::fopen((folder / "text").c_str(), "w");
  std::fputs("A b\nc", file);
  std::fclose(file);
  const auto source = open_source(reading(InputFormat::tokens, {folder / "text"}));
  CHECK(source->wait(std::chrono::microseconds(0)));
  CHECK(next_tokens(*source) == "A|b");
  CHECK(next_tokens(*source) == "c");
  check_end(*source);
}

namespace {

/// A text that arrives a few bytes at a time.
class Dribble : public ByteSource {
 public:
  Dribble(std::string_view text, unsigned seed) : rest_(text), chance_(seed) {}

  std::size_t read(char* data, std::size_t size) override {
    const std::size_t most = chance_() % 8 == 0 ? 300 : 3;
    return rest_.read(data, std::min(size, 1 + chance_() % most));
  }

 private:
  MemoryBytes rest_;
  std::mt19937 chance_;
};

std::string random_text(std::mt19937& chance, InputFormat format) {
  static constexpr std::string_view kParts[] = {
      "Mr. ",
      "word ",
      "It rains. ",
      "\n",
      "\n\n",
      "\r\n",
      " \t\n",
      "\xc3\xa4",
      "\xff",
      "\xe6\x97\xa5\xe6\x9c\xac",
      "80",
      " 000",
      "http://a.b/c.",
      ":)",
      "l'",
      "a line that is so long that nobody would have wrapped it by hand before a hundred columns "};
  static constexpr std::string_view kRecordParts[] = {"{\"text\": \"A b. C d\"}",
                                                      "{\"text\": \"\", \"id\": 7}",
                                                      "{}",
                                                      "{\"text\": \"x\\u00e4\\n\\ny\"}",
                                                      "{",
                                                      "\n",
                                                      "\n",
                                                      "\n",
                                                      "\r\n",
                                                      "\xff"};
  static constexpr std::string_view kConlluParts[] = {"1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n",
                                                      "2\tb\t_\t_\t_\t_\t_\t_\t_\t_\n", "\n",
                                                      "# newdoc id = x\n", "# comment\r\n"};
  static constexpr std::string_view kVerticalParts[] = {
      "a\tx\n",     "&lt;\tx\n", "\xff\n", "<s>\n", "</s>\n", "<doc id=\"1\">\n",
      "</doc>\r\n", "<p>\n",     "<g/>\n", "\n",    "<a\n",   "b"};
  static constexpr std::string_view kFastaParts[] = {">a b\n", "MKV", "k\n",      "*",  "\r\n",
                                                     ">\n",    "A\n", ">c\nAC\n", " \n"};
  std::string text;
  if (chance() % 4 == 0) text += "\xef\xbb\xbf";
  const auto add = [&](const auto& parts) { text += parts[chance() % std::size(parts)]; };
  for (auto parts = chance() % 60; parts > 0; --parts) {
    if (format == InputFormat::jsonl) {
      add(kRecordParts);
    } else if (format == InputFormat::conllu) {
      add(kConlluParts);
    } else if (format == InputFormat::vertical) {
      add(kVerticalParts);
    } else if (format == InputFormat::fasta) {
      add(kFastaParts);
    } else {
      add(kParts);
    }
  }
  return text;
}

struct Outcome {
  std::vector<std::string> sentences;
  std::string error;
  bool operator==(const Outcome&) const = default;
};

Outcome outcome_of(TextSource& source) {
  Outcome outcome;
  Sentence sentence;
  try {
    while (source.next(sentence)) {
      std::string text = sentence.document->id + ' ' + std::to_string(sentence.line);
      for (std::size_t i = 0; i < sentence.size(); ++i) {
        text +=
            '|' + std::string(sentence.token(i)) + '@' + std::to_string(sentence.spans()[i].begin);
      }
      outcome.sentences.push_back(text);
    }
  } catch (const InputError& error) {
    outcome.error = error.what();
  }
  return outcome;
}

}  // namespace

TEST_CASE("sentences do not depend on how and when a text arrives") {
  const unsigned first_seed = std::random_device()();
  for (unsigned seed = first_seed; seed < first_seed + 300; ++seed) {
    CAPTURE(seed);
    std::mt19937 chance(seed);
    std::vector<Record> kinds(std::begin(kRecords), std::end(kRecords));
    kinds.push_back({InputFormat::fasta, false, "", ""});
    for (const Record& kind : kinds) {
      InputOptions options = reading(kind.format, {}, kind.lines);
      options.skip_bad_records = seed % 2 == 0;
      options.tokenizer.kind =
          std::array{TokenizerKind::icu, TokenizerKind::ud, TokenizerKind::moses}[chance() % 3];
      options.tokenizer.locale = std::array{"", "fr", "ko"}[chance() % 3];
      const std::string text = random_text(chance, kind.format);
      CAPTURE(text);
      const auto whole = open_source(options, "input", std::make_unique<MemoryBytes>(text));
      const auto dribble = open_source(options, "input", std::make_unique<Dribble>(text, seed));
      const Outcome expected = outcome_of(*whole);
      const Outcome found = outcome_of(*dribble);
      CHECK(found.sentences == expected.sentences);
      CHECK(found.error == expected.error);
      CHECK(dribble->counters().invalid_sequences == whole->counters().invalid_sequences);
      CHECK(dribble->counters().documents == whole->counters().documents);
      CHECK(dribble->counters().bad_records == whole->counters().bad_records);
      if (expected.error.empty()) CHECK(dribble->counters().bytes == text.size());
    }
  }
}

namespace {

/// Number of sentences between requests for a position.
constexpr std::uint64_t kSteps = 97;

struct Found {
  std::uint64_t first = 0;  ///< number of the first sentence
  std::vector<std::string> sentences;
  std::map<std::uint64_t, ResumePosition> positions;  ///< before every kSteps-th sentence
  InputCounters counters;
  std::optional<PartCounts> part;
};

Found read_rest(TextSource& source) {
  Found found;
  found.first = source.sentences();
  Sentence sentence;
  while (source.next(sentence)) {
    std::string text = std::to_string(sentence.document->number) + " " + sentence.document->id +
                       " " + std::to_string(sentence.line) + ":";
    for (std::size_t token = 0; token < sentence.size(); ++token) {
      text += " ";
      text += sentence.token(token);
      text += "@";
      text += std::to_string(sentence.spans()[token].begin);
    }
    found.sentences.push_back(std::move(text));
  }
  for (std::uint64_t next = 0; next < source.sentences(); next += kSteps) {
    if (next < found.first) continue;
    if (auto position = source.position_before(next)) found.positions[next] = *position;
  }
  found.counters = source.counters();
  found.part = source.part_counts();
  return found;
}

void check_positions(const InputOptions& options) {
  const Found whole = read_rest(*open_source(options));
  CHECK(whole.positions.size() > 1);
  std::uint64_t last = 0;
  for (const auto& [next, position] : whole.positions) {
    if (next > 0 && position.sentence == last) continue;
    last = position.sentence;
    CAPTURE(position.sentence);
    const auto source = open_source(options);
    source->begin_at(position);
    const Found rest = read_rest(*source);
    REQUIRE(rest.sentences.size() == whole.sentences.size() - position.sentence);
    const auto expected = whole.sentences.begin() + static_cast<std::ptrdiff_t>(position.sentence);
    const auto difference = std::ranges::mismatch(
        rest.sentences, std::ranges::subrange(expected, whole.sentences.end()));
    if (difference.in1 != rest.sentences.end()) REQUIRE(*difference.in1 == *difference.in2);
    CHECK(rest.counters.documents == whole.counters.documents);
    CHECK(rest.counters.invalid_sequences == whole.counters.invalid_sequences);
    CHECK(rest.counters.empty_sentences == whole.counters.empty_sentences);
    CHECK(rest.counters.empty_files == whole.counters.empty_files);
    CHECK(rest.counters.bad_records == whole.counters.bad_records);
    CHECK(rest.part == whole.part);
    // A run resumed there finds the same positions.
    for (const auto& [again, other] : rest.positions) {
      const ResumePosition& before = whole.positions.at(again);
      CHECK(other.sentence == before.sentence);
      CHECK(other.file == before.file);
      CHECK(other.offset == before.offset);
      CHECK(other.tokens == before.tokens);
      CHECK(other.input_hash == before.input_hash);
      CHECK(other.text_hash == before.text_hash);
    }
  }
}

/// Returns about `size` bytes of lines of all widths, some blank, some with invalid UTF-8.
std::string random_text(std::uint64_t seed, std::size_t size, bool jsonl) {
  std::mt19937_64 chance(seed);
  const std::vector<std::string> words{"One", "two.", "naïve", "日本", jsonl ? "x" : "\xff",
                                       "End."};
  const std::vector<std::string> marks{"# ", "- ", " 1. ", "2) ", "---", "===\n"};
  std::string text = "\xef\xbb\xbf";
  while (text.size() < size) {
    std::string line;
    if (chance() % 8 != 0) {
      for (std::uint64_t count = chance() % 40; count > 0; --count) {
        line += words[chance() % words.size()] + " ";
      }
    }
    if (!jsonl && chance() % 4 == 0) line.insert(0, marks[chance() % marks.size()]);
    if (jsonl && !line.empty()) {
      std::string record = "{";
      if (chance() % 3 != 0) {
        record += R"("id": )";
        record += std::to_string(chance() % 9);
        record += ", ";
      }
      record += R"("text": ")";
      record += line;
      record += "\"}";
      line = record;
    }
    text += line + "\n";
  }
  return text;
}

TEST_CASE("reading can start again at any position") {
  const std::uint64_t seed = std::random_device()();
  MESSAGE("seed ", seed);
  const TempDir dir;
  for (const bool jsonl : {false, true}) {
    InputOptions options;
    options.keep_positions = true;
    for (std::uint64_t number = 0; number < 3; ++number) {
      const std::string path =
          (dir.path() / (std::string("file") + std::to_string(number))).string();
      std::ofstream(path, std::ios::binary)
          << (number == 1 ? std::string() : random_text(seed + number, 300'000, jsonl));
      options.files.push_back(path);
    }
    // The empty sentence has no position.
    options.files.push_back(options.files[0]);
    for (const InputFormat format : jsonl ? std::vector{InputFormat::jsonl}
                                          : std::vector{InputFormat::text, InputFormat::tokens}) {
      for (const bool lines : {false, true}) {
        if (lines && format == InputFormat::tokens) continue;
        options.format = format;
        options.lines = lines;
        options.part.reset();
        check_positions(options);
        options.part = InputPart{1, 3};
        InputOptions part = options;
        part.files.pop_back();
        part.files.erase(part.files.begin() + 1);
        check_positions(part);
      }
    }
  }
}

TEST_CASE("reading FASTA can start again at any record") {
  const std::uint64_t seed = std::random_device()();
  MESSAGE("seed ", seed);
  std::mt19937_64 chance(seed);
  const TempDir dir;
  InputOptions options = reading(InputFormat::fasta, {});
  options.keep_positions = true;
  for (const char* name : {"a", "b"}) {
    std::string text = "\xef\xbb\xbf\n";
    while (text.size() < 300'000) {
      text += ">" + (chance() % 4 == 0 ? std::string() : std::to_string(chance() % 99)) + "\n";
      for (std::uint64_t line = 1 + chance() % 9; line > 0; --line) {
        text += std::string(1 + chance() % 80, "ACDE"[chance() % 4]) + "\n";
        if (chance() % 9 == 0) text += "\n";
      }
    }
    options.files.push_back(dir / name);
    std::ofstream(options.files.back(), std::ios::binary) << text;
  }
  check_positions(options);
  options.part = InputPart{1, 3};
  check_positions(options);
}

TEST_CASE("a file whose first unit begins late has no position inside that unit") {
  const TempDir dir;
  const std::string rest = random_text(1, 300'000, false).substr(3);
  const std::string unit = "One. Two. Three. Four.\n\n" + rest;
  const auto file = [&](const char* name, const std::string& text) {
    std::ofstream(dir.path() / name, std::ios::binary) << text;
    return (dir.path() / name).string();
  };
  InputOptions options;
  options.keep_positions = true;
  SUBCASE("after blank lines") {
    options.files = {file("blank", std::string(70'000, '\n') + unit)};
  }
  SUBCASE("after a byte order mark, just where a position would come next") {
    options.files = {file("a", "One." + std::string(65'530, '\n')),
                     file("b", "\xef\xbb\xbf" + unit)};
  }
  SUBCASE("after bad records") {
    options.format = InputFormat::jsonl;
    options.skip_bad_records = true;
    std::string text = R"({"none": ")" + std::string(70'000, 'x') + "\"}\n";
    text += R"({"text": "One. Two. Three. Four."})"
            "\n";
    options.files = {file("bad", text + random_text(2, 300'000, true).substr(3))};
  }
  check_positions(options);
}

TEST_CASE("a file that has grown since it was listed is read to its end") {
  const TempDir dir;
  const std::string path = (dir.path() / "file").string();
  std::ofstream(path) << "One.\n";
  InputOptions options;
  options.keep_positions = true;
  options.format = InputFormat::tokens;
  options.files = {path};
  const auto source = open_source(options);
  {
    std::ofstream grown(path, std::ios::app);
    for (int line = 0; line < 100'000; ++line) grown << "More of it .\n";
  }
  CHECK(read_rest(*source).sentences.size() == 100'001);
}

TEST_CASE("compressed files have a position only at their beginning") {
  const TempDir dir;
  InputOptions options;
  options.files = {(dir.path() / "a").string(), (dir.path() / "b").string()};
  options.format = InputFormat::tokens;
  // An empty gzip member precedes text: the text is decompressed, too.
  std::string gzip("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
  const std::string line(5000, 'x');
  std::string text;
  while (text.size() < 200'000) text += line + "\n";
  // Stored blocks of deflate.
  std::string deflated;
  for (std::size_t at = 0; at < text.size(); at += 60'000) {
    const std::string block = text.substr(at, 60'000);
    const auto size = static_cast<std::uint16_t>(block.size());
    const auto inverse = static_cast<std::uint16_t>(~size);
    deflated += at + 60'000 >= text.size() ? '\x01' : '\0';
    for (const std::uint16_t half : {size, inverse}) {
      deflated += static_cast<char>(half & 0xff);
      deflated += static_cast<char>(half >> 8);
    }
    deflated += block;
  }
  std::uint32_t crc = 0xffff'ffff;
  for (const char byte : text) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb8'8320U : 0U);
  }
  crc = ~crc;
  std::string trailer;
  for (const std::uint32_t word : {crc, static_cast<std::uint32_t>(text.size())}) {
    for (int byte = 0; byte < 4; ++byte) trailer += static_cast<char>(word >> (8 * byte));
  }
  std::ofstream(options.files[0], std::ios::binary) << gzip << deflated << trailer;
  std::ofstream(options.files[1], std::ios::binary) << text;
  options.keep_positions = true;
  const auto source = open_source(options);
  Sentence sentence;
  while (source->next(sentence)) continue;
  // The first file has the first half of the sentences.
  const std::uint64_t half = source->sentences() / 2;
  const auto first = source->position_before(half - 1);
  const auto second = source->position_before(half + 1);
  const auto last = source->position_before(source->sentences());
  REQUIRE((first && second && last));
  CHECK(first->file == 0);
  CHECK(first->offset == 0);
  CHECK(second->file == 1);
  CHECK(second->offset == 0);
  CHECK(last->file == 1);
  CHECK(last->offset >= 65'536);
}

TEST_CASE("changed text before a position is noticed, and so is a missing position") {
  const TempDir dir;
  InputOptions options;
  options.files = {(dir.path() / "a").string()};
  options.format = InputFormat::tokens;
  std::string text;
  while (text.size() < 5'000'000) text += "Twenty bytes a line.\n";
  std::ofstream(options.files[0]) << text;
  options.keep_positions = true;
  const auto source = open_source(options);
  Sentence sentence;
  while (source->next(sentence)) continue;
  const ResumePosition last = source->position_before(source->sentences()).value();
  // The first 4 MiB are examined.
  text[last.offset - (4 << 20) - 1] = 'X';
  std::ofstream(options.files[0]) << text;
  CHECK_NOTHROW(open_source(options)->begin_at(last));
  text[last.offset - (4 << 20)] = 'X';
  std::ofstream(options.files[0]) << text;
  CHECK_THROWS_AS(open_source(options)->begin_at(last), InputError);
  ResumePosition wrong = last;
  wrong.file = 1;
  CHECK_THROWS_AS(open_source(options)->begin_at(wrong), InputError);
  wrong = last;
  wrong.offset = text.size() + 1;
  CHECK_THROWS_AS(open_source(options)->begin_at(wrong), InputError);
}

TEST_CASE("inputs that can be read only once have no positions") {
  InputOptions options;
  options.format = InputFormat::tokens;
  options.keep_positions = true;
  const auto source = open_source(options, "input", std::make_unique<MemoryBytes>("a\nb\n"));
  CHECK(read_rest(*source).positions.empty());
}

}  // namespace
}  // namespace elmo

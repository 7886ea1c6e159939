// Reading that starts again at a position: the rest of what one reader hands out.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/text/input/text_source.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

/// Distance of the sentences at which positions are asked for.
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
    // A run that continues there finds the same positions.
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

/// About `size` bytes of lines of all widths, some blank, some with broken UTF-8.
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

TEST_CASE("reading starts again at any place") {
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
    // The empty one has no position.
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

TEST_CASE("compressed files have a position at their beginning alone") {
  const TempDir dir;
  InputOptions options;
  options.files = {(dir.path() / "a").string(), (dir.path() / "b").string()};
  options.format = InputFormat::tokens;
  // An empty member of gzip before text: the text is decompressed, too.
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

TEST_CASE("text that changed before a position is noticed, and a position that is not there") {
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
  // 4 MiB are looked at.
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

TEST_CASE("what can be read only once has no places") {
  InputOptions options;
  options.format = InputFormat::tokens;
  options.keep_positions = true;
  const auto source = open_source(options, "input", std::make_unique<MemoryBytes>("a\nb\n"));
  CHECK(read_rest(*source).positions.empty());
}

}  // namespace
}  // namespace elmo

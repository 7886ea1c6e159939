// A run's shards return what was written, in any order.
#include "io/shard/run_reader.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/kernels/convert.h"
#include "io/shard/shard_run.h"
#include "tests/fixtures/activations.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

constexpr std::uint64_t kReadSentences = 40;
constexpr std::uint64_t kReadSegment = 4;  // makes ten shards, more than are open at once

/// A complete run in its own folder.
class Made {
 public:
  explicit Made(Dtype dtype = Dtype::float32, std::uint64_t sentences = kReadSentences) {
    ShardFormat format;
    format.layout = small_layout();
    format.dtype = dtype;
    ShardRun run(folder(), {{"model", "0123"}}, RunMode::create, format);
    feed(run, format.layout, 0, sentences, kReadSegment);
  }
  std::filesystem::path folder() const { return dir_ / "run"; }

 private:
  TempDir dir_;
};

void check_sentence(const Sentence& found, std::uint64_t number) {
  CAPTURE(number);
  const Sentence expected = made_sentence(number);
  CHECK(found.document->number == expected.document->number);
  CHECK(found.document->id == expected.document->id);
  CHECK(found.line == expected.line);
  CHECK(found.same_tokens(expected));
  CHECK(found.spans() == expected.spans());
}

void check_block(const ActivationBlock& block, Dtype dtype = Dtype::float32) {
  REQUIRE(!block.sentences.empty());
  std::vector<float> expected;
  for (std::size_t s = 0; s < block.sentences.size(); ++s) {
    check_sentence(block.sentences[s], block.first_sentence + s);
    const auto values =
        made_activations(block.first_sentence + s, block.sentences[s].size(), small_layout());
    expected.insert(expected.end(), values.begin(), values.end());
  }
  round_to_dtype(dtype, 3, expected, expected);
  CHECK(block.activations == expected);
  CHECK(block.view().token_count() * 6 == block.activations.size());
}

TEST_CASE("the text of tokens is read without activations, across shards") {
  const Made made;
  RunReader run(made.folder());
  std::vector<std::string> expected;
  for (std::uint64_t number = 0; number < kReadSentences; ++number) {
    const Sentence sentence = made_sentence(number);
    for (std::size_t token = 0; token < sentence.size(); ++token) {
      expected.emplace_back(sentence.token(token));
    }
  }
  CHECK(run.read_tokens({0, run.token_count()}) == expected);
  CHECK(run.read_tokens({7, 8}) == std::vector{expected[7]});
  CHECK(run.read_tokens({3, 3}).empty());
  CHECK_THROWS_AS(run.read_tokens({0, run.token_count() + 1}), std::logic_error);
}

TEST_CASE("a run is read from its first sentence to its last") {
  for (const auto& [word, dtype] : kDtypes) {
    const Made made(dtype);
    RunReader reader(made.folder());
    CHECK(reader.sentence_begin() == 0);
    REQUIRE(reader.sentence_end() == kReadSentences);
    CHECK(reader.layout().rows == small_layout().rows);
    ActivationBlock block;
    std::uint64_t tokens = 0;
    std::uint64_t next = 0;
    while (next < reader.sentence_end()) {
      reader.read(next, {3, 7}, block);
      CHECK(block.first_sentence == next);
      CHECK(block.sentences.size() <= 3);
      CHECK((block.view().token_count() <= 7 || block.sentences.size() == 1));
      check_block(block, dtype);
      next += block.sentences.size();
      tokens += block.view().token_count();
    }
    CHECK(next == kReadSentences);
    CHECK(tokens == reader.token_count());
  }
}

TEST_CASE("sentences and ranges of tokens are read in any order") {
  const Made made;
  RunReader reader(made.folder());
  std::vector<float> all;
  std::vector<TokenRange> ranges;
  for (std::uint64_t number = 0; number < kReadSentences; ++number) {
    const std::size_t count = made_sentence(number).size();
    const auto values = made_activations(number, count, small_layout());
    ranges.push_back({all.size() / 6, all.size() / 6 + count});
    all.insert(all.end(), values.begin(), values.end());
  }
  const auto seed = std::random_device()();
  CAPTURE(seed);
  std::mt19937 random(seed);
  ActivationBlock block;
  for (int repeat = 0; repeat < 200; ++repeat) {
    const std::uint64_t number = random() % kReadSentences;
    CHECK(reader.tokens_of(number) == ranges[number]);
    reader.read(number, {1, 0}, block);
    CHECK(block.sentences.size() == 1);
    check_block(block);

    std::uint64_t begin = random() % (reader.token_count() + 1);
    std::uint64_t end = random() % (reader.token_count() + 1);
    if (begin > end) std::swap(begin, end);
    std::vector<float> values((end - begin) * 6);
    reader.read_activations({begin, end}, values);
    CHECK(std::equal(values.begin(), values.end(), all.begin() + static_cast<long>(6 * begin)));
  }
  CHECK_THROWS_AS(reader.read(kReadSentences, {}, block), std::logic_error);
  CHECK_THROWS_AS(reader.tokens_of(kReadSentences), std::logic_error);
  CHECK_THROWS_AS(reader.read_activations({0, reader.token_count() + 1}, all), std::logic_error);
}

TEST_CASE("a single shard keeps the numbers of its sentences") {
  const Made made;
  const auto reader = open_shard(made.folder(), require_manifest(made.folder()), 2);
  CHECK(reader->sentence_begin() == 8);
  CHECK(reader->sentence_end() == 12);
  ActivationBlock block;
  reader->read(9, {}, block);
  CHECK(block.sentences.size() == 3);
  check_block(block);
  CHECK(reader->tokens_of(8).begin == 0);
  CHECK_THROWS_AS(reader->read(7, {}, block), std::logic_error);
}

TEST_CASE("a run without sentences has no sentence to read") {
  const Made made(Dtype::float32, 0);
  RunReader reader(made.folder());
  CHECK(reader.sentence_end() == 0);
  CHECK(reader.token_count() == 0);
  reader.read_activations({0, 0}, {});
}

TEST_CASE("missing and changed shards are refused") {
  const Made made;
  const auto replaced = made.folder() / "shard-00003.h5";
  ActivationBlock block;
  {
    std::filesystem::copy_file(made.folder() / "shard-00004.h5", replaced,
                               std::filesystem::copy_options::overwrite_existing);
    RunReader reader(made.folder());
    CHECK_THROWS_AS(reader.read(12, {}, block), InputError);
    reader.read(16, {}, block);
  }
  std::filesystem::remove(replaced);
  CHECK_THROWS_AS(RunReader(made.folder()).read(12, {}, block), InputError);
  std::ofstream(replaced) << "no HDF5";
  CHECK_THROWS_AS(RunReader(made.folder()).read(12, {}, block), InputError);
  std::filesystem::remove(made.folder() / "manifest.json");
  CHECK_THROWS_AS(RunReader(made.folder()), InputError);
}

std::vector<float> floats_of(const std::byte* stored, Dtype dtype, std::size_t count) {
  std::vector<float> values(count);
  if (dtype == Dtype::float32) {
    std::memcpy(values.data(), stored, count * sizeof(float));
    return values;
  }
  std::vector<std::uint16_t> halves(count);
  std::memcpy(halves.data(), stored, count * sizeof(std::uint16_t));
  from_float16(halves, values);
  return values;
}

void check_stored_run(Dtype dtype, h5::Compression compression, std::uint64_t sentences,
                      std::uint64_t segment = 250) {
  const TempDir dir;
  ShardFormat format;
  format.layout = {{"x", "forward_1", "backward_1"}, 64};
  format.dtype = dtype;
  format.compression = compression;
  {
    ShardRun run(dir / "run", {{"model", "0123"}}, RunMode::create, format);
    feed(run, format.layout, 0, sentences, segment, 50);
  }
  RunReader reader(dir / "run");
  RunPieces run(dir / "run", reader.manifest());
  for (const bool mapped : {false, true}) {
    if (mapped) run.map();
    PieceBuffer buffer;
    std::uint64_t next = 0;
    for (const RunPiece& piece : run.pieces()) {
      CHECK(piece.tokens.begin == next);
      next = piece.tokens.end;
      CHECK(piece.stored == (compression == h5::Compression::none && not_in_numpy(dtype).empty()));
      if (!piece.stored) continue;
      std::vector<float> expected(piece.tokens.size() *
                                  static_cast<std::size_t>(format.layout.values_per_token()));
      reader.read_activations(piece.tokens, expected);
      CHECK(floats_of(run.values(piece, buffer), dtype, expected.size()) == expected);
    }
    CHECK(next == reader.token_count());
  }
}

TEST_CASE("RunPieces: all tokens in order, as they were written") {
  check_stored_run(Dtype::float32, h5::Compression::none, 1000);
  check_stored_run(Dtype::float16, h5::Compression::none, 1000);
  check_stored_run(Dtype::float32, h5::Compression::none, 0);
}

TEST_CASE("RunPieces: a shard of many chunks with other data between them") {
  check_stored_run(Dtype::float32, h5::Compression::none, 8000, 8000);
}

TEST_CASE("RunPieces: a shard that is truncated while it is read is refused") {
  const TempDir dir;
  ShardFormat format;
  format.layout = {{"x"}, 64};
  {
    ShardRun run(dir / "run", {{"model", "0123"}}, RunMode::create, format);
    feed(run, format.layout, 0, 300, 300, 50);
  }
  const Manifest manifest = require_manifest(dir / "run");
  RunPieces run(dir / "run", manifest);
  std::filesystem::resize_file(dir / "run" / manifest.shards.front().file, 1000);
  PieceBuffer buffer;
  CHECK_THROWS_WITH_AS(run.values(run.pieces().front(), buffer),
                       doctest::Contains("changed while it was read"), InputError);
  CHECK_THROWS_WITH_AS(run.map(), doctest::Contains("changed while it was read"), InputError);
}

TEST_CASE("RunPieces: compressed shards are left to the reader") {
  check_stored_run(Dtype::float16, h5::Compression::gzip, 300);
}

TEST_CASE("RunPieces: other dtypes are left to the reader, too") {
  check_stored_run(Dtype::bfloat16, h5::Compression::none, 300);
  check_stored_run(Dtype::int8, h5::Compression::none, 300);
}

TEST_CASE("RunPieces: a missing shard, or one of another run, is refused before it is read") {
  const TempDir dir;
  // Differing numbers of rows or columns, another dtype, fewer tokens.
  const auto made = [&](const char* name, const ActivationLayout& layout, Dtype dtype,
                        std::uint64_t sentences) {
    ShardFormat format;
    format.layout = layout;
    format.dtype = dtype;
    ShardRun run(dir / name, {{"model", "0123"}}, RunMode::create, format);
    feed(run, layout, 0, sentences, 250, 50);
    return run.manifest();
  };
  const ActivationLayout layout = {{"x", "forward_1"}, 64};
  const Manifest manifest = made("run", layout, Dtype::float32, 200);
  const std::string file = manifest.shards.front().file;
  const ActivationLayout narrow = {{"x", "forward_1"}, 8};
  const ActivationLayout wide = {{"x", "forward_1"}, 128};
  const ActivationLayout single = {{"x"}, 64};
  const std::vector<Manifest> others = {
      made("narrow", narrow, Dtype::float32, 200), made("wide", wide, Dtype::float32, 200),
      made("single", single, Dtype::float32, 200), made("half", layout, Dtype::float16, 200),
      made("short", layout, Dtype::float32, 100)};
  std::size_t number = 0;
  for (const char* name : {"narrow", "wide", "single", "half", "short"}) {
    CAPTURE(name);
    const ShardEntry& other = others[number++].shards.front();
    for (const ListedFile& copied : other.files()) {
      std::filesystem::copy_file(dir / name / copied.file, dir / "run" / copied.file,
                                 std::filesystem::copy_options::overwrite_existing);
    }
    CHECK_THROWS_AS(RunPieces(dir / "run", manifest), InputError);
    // The manifest was changed to match the files' sizes.
    Manifest fitted = manifest;
    fitted.shards.front().bytes = other.bytes;
    fitted.shards.front().tables = other.tables;
    CHECK_THROWS_WITH_AS(RunPieces(dir / "run", fitted),
                         doctest::Contains("expected what manifest.json lists"), InputError);
  }
  std::filesystem::remove(dir / "run" / file);
  CHECK_THROWS_WITH_AS(RunPieces(dir / "run", others.back()), doctest::Contains("is missing"),
                       InputError);
}

}  // namespace
}  // namespace elmo

// What a run's shards hold is what its reader gives.
#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/kernels/convert.h"
#include "io/shard/run_reader.h"
#include "io/shard/shard_run.h"
#include "tests/fixtures/activations.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

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

void check(Dtype dtype, h5::Compression compression, std::uint64_t sentences,
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
  StoredRun run(dir / "run", reader.manifest());
  for (const bool mapped : {false, true}) {
    if (mapped) run.map();
    PieceBuffer buffer;
    std::uint64_t next = 0;
    for (const StoredPiece& piece : run.pieces()) {
      CHECK(piece.tokens.begin == next);
      next = piece.tokens.end;
      CHECK(piece.stored == (compression == h5::Compression::none && is_numpy(dtype)));
      if (!piece.stored) continue;
      std::vector<float> expected(piece.tokens.size() *
                                  static_cast<std::size_t>(format.layout.values_per_token()));
      reader.read_activations(piece.tokens, expected);
      CHECK(floats_of(run.values(piece, buffer), dtype, expected.size()) == expected);
    }
    CHECK(next == reader.token_count());
  }
}

}  // namespace

TEST_CASE("StoredRun: all tokens in order, as they were written") {
  check(Dtype::float32, h5::Compression::none, 1000);
  check(Dtype::float16, h5::Compression::none, 1000);
  check(Dtype::float32, h5::Compression::none, 0);
}

TEST_CASE("StoredRun: a shard of many chunks, other data between them") {
  check(Dtype::float32, h5::Compression::none, 8000, 8000);
}

TEST_CASE("StoredRun: a shard that is cut while it is read is refused") {
  const TempDir dir;
  ShardFormat format;
  format.layout = {{"x"}, 64};
  {
    ShardRun run(dir / "run", {{"model", "0123"}}, RunMode::create, format);
    feed(run, format.layout, 0, 300, 300, 50);
  }
  const Manifest manifest = require_manifest(dir / "run");
  StoredRun run(dir / "run", manifest);
  std::filesystem::resize_file(dir / "run" / manifest.shards.front().file, 1000);
  PieceBuffer buffer;
  CHECK_THROWS_WITH_AS(run.values(run.pieces().front(), buffer),
                       doctest::Contains("changed while it was read"), InputError);
  CHECK_THROWS_WITH_AS(run.map(), doctest::Contains("changed while it was read"), InputError);
}

TEST_CASE("StoredRun: compressed shards are left to the reader") {
  check(Dtype::float16, h5::Compression::gzip, 300);
}

TEST_CASE("StoredRun: so are numbers that have to be widened in other ways") {
  check(Dtype::bfloat16, h5::Compression::none, 300);
  check(Dtype::int8, h5::Compression::none, 300);
}

TEST_CASE("StoredRun: a shard that is missing or another run's is refused before it is read") {
  const TempDir dir;
  // Another number of rows, of columns, another dtype, fewer tokens.
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
    std::filesystem::copy_file(dir / name / file, dir / "run" / file,
                               std::filesystem::copy_options::overwrite_existing);
    CHECK_THROWS_AS(StoredRun(dir / "run", manifest), InputError);
    // As of a manifest that was made to fit the file's size.
    Manifest fitted = manifest;
    fitted.shards.front().bytes = others[number++].shards.front().bytes;
    CHECK_THROWS_WITH_AS(StoredRun(dir / "run", fitted),
                         doctest::Contains("expected what manifest.json lists"), InputError);
  }
  std::filesystem::remove(dir / "run" / file);
  CHECK_THROWS_WITH_AS(StoredRun(dir / "run", manifest), doctest::Contains("is missing"),
                       InputError);
}

}  // namespace elmo

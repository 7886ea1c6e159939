// Addresses of chunks, read without HDF5, and from files that are damaged.
#include "io/h5/chunk_index.h"

#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "io/files/mapped_file.h"
#include "io/h5/column.h"
#include "io/h5/reader.h"
#include "io/h5/writer.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo::h5 {
namespace {

constexpr std::uint64_t kChunkIndexRows = 300 * 256 * 1024 / (8 * 128) + 7;  // 301 chunks

/// Rows that count, strings between their chunks.
void write_counting(const std::filesystem::path& path) {
  Writer writer(path);
  Column numbers(writer, "numbers", Element::uint64, {128}, Compression::none);
  Column packed(writer, "packed", Element::uint64, {128}, Compression::gzip);
  Column words(writer, "words", Element::string, {}, Compression::none);
  std::vector<std::uint64_t> row(128);
  for (std::uint64_t number = 0; number < kChunkIndexRows; ++number) {
    row.assign(row.size(), number);
    numbers.append(std::as_bytes(std::span(row)));
    if (number < 1000) packed.append(std::as_bytes(std::span(row)));
    if (number % 100 == 0) words.append(std::string(1 + number % 500, 'a'));
  }
  numbers.finish();
  packed.finish();
  words.finish();
  writer.close();
}

}  // namespace

TEST_CASE("stored_rows: every row is where its number lies in the file") {
  const TempDir dir;
  write_counting(dir / "file.h5");
  const MappedFile file(dir / "file.h5");
  const Reader reader(dir / "file.h5");
  const std::vector<StoredRows> stored = reader.dataset("numbers").stored_rows(file.bytes());
  CHECK(stored.size() > 2);
  std::uint64_t next = 0;
  std::uint64_t wrong = 0;
  for (const StoredRows& rows : stored) {
    CHECK(rows.first == next);
    next += rows.count;
    for (std::uint64_t row = 0; row < rows.count; ++row) {
      std::uint64_t found = 0;
      std::memcpy(&found, file.bytes().data() + rows.offset + row * 1024, sizeof(found));
      wrong += found == rows.first + row ? 0 : 1;
    }
  }
  CHECK(next == kChunkIndexRows);
  CHECK(wrong == 0);
  CHECK(reader.dataset("packed").stored_rows(file.bytes()).empty());
  CHECK(reader.dataset("words").stored_rows(file.bytes()).empty());
}

TEST_CASE("stored_rows: a file that is cut or damaged gives nothing, or addresses") {
  const TempDir dir;
  write_counting(dir / "file.h5");
  const MappedFile file(dir / "file.h5");
  const Reader reader(dir / "file.h5");
  const Dataset dataset = reader.dataset("numbers");
  for (std::size_t bytes = 0; bytes < 8192; ++bytes) {
    if (!dataset.stored_rows(file.bytes().first(bytes)).empty()) FAIL(bytes);
  }
  const auto seed = std::random_device()();
  CAPTURE(seed);
  std::mt19937 chance(seed);
  std::vector<std::byte> damaged(file.bytes().begin(), file.bytes().end());
  std::size_t found = 0;
  for (int turn = 0; turn < 3000; ++turn) {
    const std::size_t at = chance() % 8192;
    const std::byte before = std::exchange(damaged[at], static_cast<std::byte>(chance()));
    found += dataset.stored_rows(damaged).empty() ? 0 : 1;
    damaged[at] = before;
  }
  CHECK(found > 0);
}

}  // namespace elmo::h5

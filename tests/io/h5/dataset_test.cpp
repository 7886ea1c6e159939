// Datasets with filters, addresses of chunks (read without HDF5), and damaged files.
//
// The plugin for zstd is rarely installed where tests run. A filter with its number replaces it
// here; tests/cli/compression_test.py uses the plugin if it is installed.

#include "io/h5/dataset.h"

#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "core/error.h"
#include "io/files/mapped_file.h"
#include "io/h5/library.h"
#include "io/h5/reader.h"
#include "io/h5/writer.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo::h5 {
namespace {

std::size_t flip(unsigned, std::size_t, const unsigned*, std::size_t bytes, std::size_t*,
                 void** buffer) {
  auto* const values = static_cast<unsigned char*>(*buffer);
  for (std::size_t at = 0; at < bytes; ++at) values[at] = static_cast<unsigned char>(~values[at]);
  return bytes;
}

class StandIn {
 public:
  StandIn() {
    const Call call;
    const H5Z_class2_t filter{H5Z_CLASS_T_VERS, kZstdFilter, 1, 1, "flip", nullptr, nullptr, flip};
    REQUIRE(H5Zregister(&filter) >= 0);
  }
  ~StandIn() {
    const Call call;
    H5Zunregister(kZstdFilter);
  }
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;
};

template <typename Error>
std::string message(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST_CASE("zstd is written and read with its filter, and rejected without it") {
  if (load_zstd()) {
    MESSAGE("skipped: HDF5's zstd filter is installed");
    return;
  }
  const TempDir dir;
  const std::string missing = message<RequestError>([] { require_compression(Compression::zstd); });
  CHECK(missing.find("32015") != std::string::npos);
  CHECK(missing.find("HDF5_PLUGIN_PATH") != std::string::npos);
  CHECK(missing.find("looked for in /") != std::string::npos);
  require_compression(Compression::gzip);

  const std::vector<float> values{1, 2, 3, 4};
  {
    const StandIn filter;
    require_compression(Compression::zstd);
    Writer writer(dir / "zstd.h5");
    Column column(writer, "rows", Element::float32, {2}, Compression::zstd);
    column.append(std::as_bytes(std::span(values)));
    column.finish();
    writer.close();
    const Dataset dataset = Reader(dir / "zstd.h5").dataset("rows");
    CHECK(dataset.info().filters == "shuffle zstd");
    std::vector<float> read(values.size());
    dataset.read(read);
    CHECK(read == values);
  }
  const Reader reader(dir / "zstd.h5");
  const std::string unreadable = message<InputError>([&] { reader.dataset("rows"); });
  CHECK(unreadable.find("rows cannot be read") != std::string::npos);
  CHECK(unreadable.find("32015") != std::string::npos);
}

constexpr std::uint64_t kChunkIndexRows = 300 * 256 * 1024 / (8 * 128) + 7;  // 301 chunks

/// Rows of ascending numbers, with strings between their chunks.
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

TEST_CASE("stored_rows: every row is at its position in the file") {
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

TEST_CASE("stored_rows: a damaged file gives nothing, or addresses") {
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

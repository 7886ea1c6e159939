#include "io/h5/writer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "core/error.h"
#include "io/h5/reader.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo::h5 {
namespace {

std::span<const std::byte> as_bytes(const std::vector<float>& values) {
  return std::as_bytes(std::span(values));
}

/// Writes everything that a Writer can write.
void write_sample(const std::filesystem::path& path) {
  Writer writer(path);
  const std::vector<std::uint64_t> shape{2, 3};
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  const std::vector<std::string> words{"süß", "", "two words"};
  writer.write("/outer/inner/values", shape, values);
  writer.write("/outer/words", words);
  writer.write_attribute("text", "ünïcode");
  writer.write_attribute("names", std::span(words));
  writer.write_attribute("number", std::uint64_t{1} << 63);
  Column column(writer, "/outer/column", Element::uint64, {2}, Compression::gzip);
  const std::vector<std::uint64_t> rows{1, 2, 3, 4};
  column.append(std::as_bytes(std::span(rows)));
  column.finish();
  writer.close();
}

TEST_CASE("written data is read back") {
  const TempDir dir;
  write_sample(dir / "sample.h5");
  const Reader reader(dir / "sample.h5");
  const Dataset values = reader.dataset("outer/inner/values");
  CHECK(values.info().shape == std::vector<std::uint64_t>{2, 3});
  CHECK(values.info().layout == "contiguous");
  std::vector<float> read(6);
  values.read(read);
  CHECK(read == std::vector<float>{1, 2, 3, 4, 5, 6});
  CHECK(reader.dataset("outer/words").read_strings(0, 3) ==
        std::vector<std::string>{"süß", "", "two words"});
  CHECK(reader.string_attribute("text") == "ünïcode");
  CHECK(reader.strings_attribute("names") == std::vector<std::string>{"süß", "", "two words"});
  CHECK(reader.integer_attribute("number") == std::uint64_t{1} << 63);
  CHECK_FALSE(reader.string_attribute("none").has_value());
  CHECK_THROWS_AS(reader.string_attribute("number"), InputError);
  CHECK(reader.attributes() == std::vector<std::string>{"names", "number", "text"});
  std::vector<std::uint64_t> rows(4);
  reader.dataset("outer/column").read_rows(0, 2, std::span(rows));
  CHECK(rows == std::vector<std::uint64_t>{1, 2, 3, 4});
}

TEST_CASE("a file's bytes do not depend on the time") {
  const TempDir dir;
  write_sample(dir / "first.h5");
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  write_sample(dir / "second.h5");
  CHECK(content_of(dir / "first.h5") == content_of(dir / "second.h5"));
}

TEST_CASE("columns hold every row, in whatever pieces rows are appended") {
  const TempDir dir;
  const std::size_t width = 100;
  const std::size_t chunk = kChunkBytes / (width * sizeof(float));
  for (const Compression compression : {Compression::none, Compression::gzip}) {
    for (const std::size_t rows :
         {std::size_t{0}, std::size_t{1}, chunk - 1, chunk, chunk + 1, 3 * chunk + 7}) {
      CAPTURE(rows);
      std::vector<float> values(rows * width);
      std::iota(values.begin(), values.end(), 1.0F);
      std::string first;
      for (const std::size_t step : {std::size_t{1}, std::size_t{300}, chunk, 5 * chunk}) {
        CAPTURE(step);
        Writer writer(dir / "rows.h5");
        Column column(writer, "rows", Element::float32, {width}, compression);
        Column strings(writer, "strings", Element::string, {}, compression);
        for (std::size_t row = 0; row < rows; row += step) {
          const std::size_t count = std::min(step, rows - row);
          column.append(as_bytes(values).subspan(row * width * 4, count * width * 4));
        }
        for (std::size_t row = 0; row < rows; ++row) strings.append(std::to_string(row));
        CHECK(column.rows() == rows);
        column.finish();
        strings.finish();
        writer.close();
        const Reader reader(dir / "rows.h5");
        const Dataset dataset = reader.dataset("rows");
        CHECK(dataset.info().shape == std::vector<std::uint64_t>{rows, width});
        CHECK(dataset.info().filters == (compression == Compression::gzip ? "shuffle gzip" : ""));
        std::vector<float> read(values.size());
        dataset.read(read);
        CHECK(read == values);
        const auto words = reader.dataset("strings").read_strings(0, rows);
        CHECK(words.size() == rows);
        if (rows > 0) CHECK(words.back() == std::to_string(rows - 1));
        if (first.empty()) first = content_of(dir / "rows.h5");
        CHECK(content_of(dir / "rows.h5") == first);
      }
    }
  }
}

TEST_CASE("bfloat16 is read as the float32 whose upper half it is, and int8 as bytes") {
  const TempDir dir;
  const std::vector<std::uint16_t> halves{0x3F80, 0xC020, 0x0001, 0x7F7F};
  const std::vector<std::int8_t> steps{-127, 0, 127};
  Writer writer(dir / "narrow.h5");
  const std::vector<std::uint64_t> four{4};
  const std::vector<std::uint64_t> three{3};
  writer.write("halves", four, Element::bfloat16, std::as_bytes(std::span(halves)));
  writer.write("steps", three, Element::int8, std::as_bytes(std::span(steps)));
  writer.close();
  const Reader reader(dir / "narrow.h5");
  const Dataset read_halves = reader.dataset("halves");
  CHECK(read_halves.info().type == "bfloat16");
  std::vector<float> values(4);
  read_halves.read(values);
  CHECK(values == std::vector<float>{1.0F, -2.5F, 0x1p-133F, 0x1.FEp127F});
  const Dataset read_steps = reader.dataset("steps");
  CHECK(read_steps.info().type == "int8");
  std::vector<std::int8_t> bytes(3);
  read_steps.read_rows(0, 3, std::as_writable_bytes(std::span(bytes)));
  CHECK(bytes == steps);
  CHECK_THROWS_AS(read_steps.read(std::span(values).first(3)), InputError);
}

TEST_CASE("a small column takes no more space than its rows") {
  const TempDir dir;
  Writer writer(dir / "small.h5");
  Column column(writer, "rows", Element::float32, {4}, Compression::none);
  column.append(as_bytes({1, 2, 3, 4}));
  column.finish();
  writer.close();
  CHECK(std::filesystem::file_size(dir / "small.h5") < 8192);
}

TEST_CASE("virtual datasets show rows of other files, also after the folder is moved") {
  const TempDir dir;
  const auto folder = dir / "before";
  std::filesystem::create_directory(folder);
  std::vector<VirtualPart> parts;
  for (const std::size_t rows : {std::size_t{2}, std::size_t{0}, std::size_t{3}}) {
    const std::string name = std::to_string(parts.size()) + ".h5";
    Writer writer(folder / name);
    Column column(writer, "values", Element::float32, {2}, Compression::none);
    Column words(writer, "words", Element::string, {}, Compression::none);
    const std::vector<float> values(rows * 2, static_cast<float>(rows));
    column.append(as_bytes(values));
    for (std::size_t row = 0; row < rows; ++row) words.append(name + std::to_string(row));
    column.finish();
    words.finish();
    writer.close();
    parts.push_back({name, "values", rows});
  }
  {
    Writer index(folder / "index.h5");
    const std::vector<std::uint64_t> row_shape{2};
    index.write_virtual("values", Element::float32, row_shape, parts);
    for (VirtualPart& part : parts) part.path = "words";
    index.write_virtual("words", Element::string, {}, parts);
    index.write_virtual("none", Element::float32, row_shape, {});
    index.close();
  }
  std::filesystem::rename(folder, dir / "after");
  CHECK_THROWS_AS(Reader(dir / "after" / "index.h5").dataset("values"), InputError);
  const Reader reader(dir / "after" / "index.h5", VirtualDatasets::allowed);
  const Dataset dataset = reader.dataset("values");
  CHECK(dataset.info().layout == "virtual");
  std::vector<float> read(10);
  dataset.read(read);
  CHECK(read == std::vector<float>{2, 2, 2, 2, 3, 3, 3, 3, 3, 3});
  CHECK(reader.dataset("words").read_strings(1, 2) == std::vector<std::string>{"0.h51", "2.h50"});
  CHECK(reader.dataset("none").info().shape == std::vector<std::uint64_t>{0, 2});
}

TEST_CASE("a virtual dataset of many parts is a tree in its file") {
  const TempDir dir;
  constexpr std::uint64_t kSources = 300;  // more than 16 · 16: makes three levels
  std::filesystem::create_directory(dir / "before");
  std::vector<VirtualPart> parts;
  for (std::uint64_t number = 0; number < kSources; ++number) {
    const std::string name = std::to_string(number) + ".h5";
    Writer writer(dir / "before" / name);
    const std::vector<std::uint64_t> shape{1 + number % 2};
    writer.write("group/values", shape,
                 std::vector<float>(shape.front(), static_cast<float>(number)));
    writer.close();
    parts.push_back({name, "group/values", shape.front()});
  }
  const std::vector<VirtualPart> few(parts.begin(), parts.begin() + 16);
  Writer index(dir / "before" / "index.h5");
  index.write_virtual("group/values", Element::float32, {}, parts);
  index.write_virtual("few", Element::float32, {}, few);
  index.write_virtual("none", Element::float32, {}, {});
  index.close();
  std::filesystem::rename(dir / "before", dir / "after");

  const Reader reader(dir / "after" / "index.h5", VirtualDatasets::allowed);
  CHECK(reader.virtual_parts("group/values") == parts);
  CHECK(reader.virtual_parts("few") == few);
  CHECK(reader.virtual_parts("none").empty());
  CHECK(reader.links("tree") == std::vector<std::string>{"group"});
  CHECK(reader.links("tree/group/values").size() == 19 + 2);
  std::vector<float> expected;
  for (std::uint64_t number = 0; number < kSources; ++number) {
    expected.insert(expected.end(), 1 + number % 2, static_cast<float>(number));
  }
  std::vector<float> read(expected.size());
  reader.dataset("group/values").read(read);
  CHECK(read == expected);
  for (const std::uint64_t row : {std::uint64_t{0}, std::uint64_t{233}, std::uint64_t{449}}) {
    reader.dataset("group/values").read_rows(row, 1, std::span(read).first(1));
    CHECK(read.front() == expected[row]);
  }
}

TEST_CASE("virtual datasets that map themselves, or datasets of other rows, are refused") {
  const TempDir dir;
  const std::vector<std::uint64_t> pairs{2};
  Writer writer(dir / "index.h5");
  writer.write_virtual("circle", Element::float32, {}, {{".", "circle", 3}});
  writer.write_virtual("two", Element::float32, {}, {{".", "circle", 2}});
  writer.write_virtual("wide", Element::float32, pairs, {{".", "circle", 3}});
  writer.write_virtual("whole", Element::uint32, {}, {{".", "circle", 3}});
  writer.write_virtual("lost", Element::float32, {}, {{".", "nowhere", 3}});
  writer.close();
  const Reader reader(dir / "index.h5", VirtualDatasets::allowed);
  for (const char* path : {"circle", "two", "wide", "whole", "lost"}) {
    CAPTURE(path);
    CHECK_THROWS_AS(reader.virtual_parts(path), InputError);
  }
}

TEST_CASE("an abandoned file is left without content") {
  const TempDir dir;
  {
    Writer writer(dir / "abandoned.h5");
    Column column(writer, "rows", Element::float32, {64}, Compression::none);
    column.append(as_bytes(std::vector<float>(64 * 4096, 1.0F)));
  }
  CHECK(std::filesystem::file_size(dir / "abandoned.h5") == 0);
}

TEST_CASE("a file that cannot be created is a system error") {
  const TempDir dir;
  CHECK_THROWS_AS(Writer(dir / "missing" / "file.h5"), SystemError);
  try {
    Writer(dir / "missing" / "file.h5");
  } catch (const SystemError& error) {
    CHECK(std::string(error.what()).find("No such file or directory") != std::string::npos);
  }
}

}  // namespace
}  // namespace elmo::h5

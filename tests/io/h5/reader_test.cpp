// Reading untrusted files. Hostile ones are made with the C library itself.
#include "io/h5/reader.h"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <new>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/error.h"
#include "io/h5/library.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/fixtures/child.h"

namespace elmo::h5 {
namespace {

using Shape = std::vector<hsize_t>;

/// Creates a file at `path` and calls `fill` to write it.
void make_file(const std::filesystem::path& path, const std::function<void(hid_t)>& fill) {
  const Call call;
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  REQUIRE(file >= 0);
  fill(file);
  REQUIRE(H5Fclose(file) >= 0);
}

/// Makes a dataset, and writes `values` to it unless they are null.
void make_dataset(hid_t place, const char* name, hid_t type, const Shape& shape, const void* values,
                  hid_t creation = H5P_DEFAULT, hid_t memory_type = H5T_NATIVE_FLOAT) {
  const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  const hid_t dataset = H5Dcreate2(place, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  REQUIRE(dataset >= 0);
  if (values != nullptr)
    REQUIRE(H5Dwrite(dataset, memory_type, kWholeSpace, kWholeSpace, H5P_DEFAULT, values) >= 0);
  H5Dclose(dataset);
  H5Sclose(space);
}

hid_t chunked(const Shape& chunk) {
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data());
  return creation;
}

std::vector<float> counting(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.5F);
  return values;
}

/// Returns the message of the InputError that `action` throws.
std::string refusal_of_reading(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  FAIL("nothing was refused");
  return {};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("floats of every width are read as float32, whole and by rows") {
  const TempDir dir;
  const auto path = dir / "floats.h5";
  const std::vector<float> values = counting(12);
  make_file(path, [&](hid_t file) {
    const hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    make_dataset(group, "single", H5T_IEEE_F32LE, {4, 3}, values.data());
    make_dataset(group, "double", H5T_IEEE_F64BE, {4, 3}, values.data());
    const hid_t half = H5Tcopy(H5T_IEEE_F32LE);
    H5Tset_fields(half, 15, 10, 5, 0, 10);
    H5Tset_size(half, 2);
    H5Tset_ebias(half, 15);
    make_dataset(group, "half", half, {4, 3}, values.data());
    H5Gclose(group);
  });
  const Reader reader(path);
  CHECK(reader.links("group") == std::vector<std::string>{"double", "half", "single"});
  for (const char* name : {"group/single", "/group/double", "group/half"}) {
    CAPTURE(name);
    const Dataset dataset = reader.dataset(name);
    CHECK(dataset.info().shape == std::vector<std::uint64_t>{4, 3});
    CHECK(dataset.info().is_float());
    std::vector<float> read(12);
    dataset.read(read);
    CHECK(read == values);
    std::vector<float> rows(6);
    dataset.read_rows(1, 2, rows);
    CHECK(rows == std::vector<float>(values.begin() + 3, values.begin() + 9));
    CHECK_THROWS_AS(dataset.read_rows(3, 2, rows), InputError);
    CHECK_THROWS_AS(dataset.read_rows(~std::uint64_t{0}, 2, rows), InputError);
    CHECK_THROWS_AS(dataset.read(rows), InputError);
  }
}

TEST_CASE("contiguous rows of little-endian numbers are found at their offsets") {
  const TempDir dir;
  const auto path = dir / "floats.h5";
  const std::vector<float> values = counting(12);
  const auto fill = [&](hid_t file) {
    make_dataset(file, "single", H5T_IEEE_F32LE, {4, 3}, values.data());
    make_dataset(file, "double", H5T_IEEE_F64LE, {4, 3}, values.data());
    make_dataset(file, "big", H5T_IEEE_F32BE, {4, 3}, values.data());
    const hid_t compact = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_layout(compact, H5D_COMPACT);
    make_dataset(file, "compact", H5T_IEEE_F32LE, {4, 3}, values.data(), compact);
    H5Pclose(compact);
  };
  make_file(path, fill);
  const Reader reader(path);
  const MappedFile bytes = reader.map();
  CHECK(bytes.bytes().size() == reader.bytes());
  bytes.forget(bytes.bytes());  // they are read again after this
  for (const char* name : {"single", "double"}) {
    CAPTURE(name);
    const Dataset dataset = reader.dataset(name);
    const std::vector<StoredRows> stored = dataset.stored_rows(bytes.bytes());
    REQUIRE(stored.size() == 1);
    CHECK(stored[0].first == 0);
    CHECK(stored[0].count == 4);
    std::vector<std::byte> read(12 * element_bytes(dataset.info().element));
    dataset.read_rows(0, 4, std::span(read));
    CHECK(std::ranges::equal(bytes.bytes().subspan(stored[0].offset, read.size()), read));
  }
  for (const char* name : {"big", "compact"}) {
    CAPTURE(name);
    CHECK(reader.dataset(name).stored_rows(bytes.bytes()).empty());
  }
}

TEST_CASE("a missing object and one of another type are distinguished") {
  const TempDir dir;
  const auto path = dir / "kinds.h5";
  const std::vector<float> values = counting(2);
  make_file(path, [&](hid_t file) {
    H5Gclose(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    make_dataset(file, "data", H5T_IEEE_F32LE, {2}, values.data());
  });
  const Reader reader(path);
  CHECK(reader.exists("group"));
  CHECK(reader.exists("/data"));
  CHECK_FALSE(reader.exists("nothing"));
  CHECK_FALSE(reader.exists("nothing/below"));
  CHECK_FALSE(reader.exists("data/below"));
  CHECK(contains(refusal_of_reading([&] { reader.dataset("nothing"); }), "nothing is missing"));
  CHECK(contains(refusal_of_reading([&] { reader.dataset("group"); }), "not a dataset"));
  CHECK_THROWS_AS(reader.links("data"), InputError);
}

TEST_CASE("integers and strings are refused as floats") {
  const TempDir dir;
  const auto path = dir / "types.h5";
  const std::vector<int> values{1, 2, 3};
  make_file(path, [&](hid_t file) {
    make_dataset(file, "integers", H5T_STD_I32LE, {3}, values.data(), H5P_DEFAULT, H5T_NATIVE_INT);
  });
  const Reader reader(path);
  const Dataset dataset = reader.dataset("integers");
  CHECK_FALSE(dataset.info().is_float());
  std::vector<float> read(3);
  CHECK(
      contains(refusal_of_reading([&] { dataset.read(read); }), "is int32 (3); expected float32"));
}

TEST_CASE("rows that refer to one long string are refused before memory is allocated") {
  const TempDir dir;
  const std::filesystem::path path = dir / "x.h5";
  constexpr std::size_t kRows = 8;
  const std::string text(10000, 'a');
  std::vector<const char*> strings(kRows, "b");
  strings.front() = text.c_str();
  std::ptrdiff_t begin = 0;
  make_file(path, [&](hid_t file) {
    const Handle type = file_type(Element::string);
    make_dataset(file, "s", type.id(), {kRows}, strings.data(), H5P_DEFAULT, type.id());
    const Handle dataset(H5Dopen2(file, "s", H5P_DEFAULT));
    begin = static_cast<std::ptrdiff_t>(H5Dget_offset(dataset.id()));
  });
  CHECK(Reader(path).dataset("s").read_strings(0, kRows).front() == text);

  constexpr std::ptrdiff_t kReferenceBytes = 16;
  std::string bytes = content_of(path);
  const auto first = bytes.begin() + begin;
  for (std::size_t row = 1; row < kRows; ++row) {
    std::copy_n(first, kReferenceBytes, first + static_cast<std::ptrdiff_t>(row) * kReferenceBytes);
  }
  std::ofstream(path, std::ios::binary) << bytes;
  const Dataset dataset = Reader(path).dataset("s");
  CHECK(dataset.read_strings(kRows - 1, 1).front() == text);
  CHECK_THROWS_WITH_AS(dataset.read_strings(0, kRows),
                       doctest::Contains("/x.h5: s claims more text than the"), InputError);
}

TEST_CASE("a shape larger than the file's bytes is refused before memory is allocated") {
  const TempDir dir;
  const auto path = dir / "giant.h5";
  const hsize_t huge = hsize_t{1} << 40;
  make_file(path, [&](hid_t file) {
    make_dataset(file, "contiguous", H5T_IEEE_F32LE, {huge}, nullptr);
    make_dataset(file, "overflow", H5T_IEEE_F32LE, {huge, 8}, nullptr, chunked({1, 1}));
    make_dataset(file, "chunked", H5T_IEEE_F32LE, {huge}, nullptr, chunked({1024}));
    const hsize_t one = 1;
    const hsize_t unlimited = H5S_UNLIMITED;
    const hid_t growing = H5Screate_simple(1, &one, &unlimited);
    H5Dcreate2(file, "wide_chunk", H5T_IEEE_F32LE, growing, H5P_DEFAULT, chunked({1U << 29}),
               H5P_DEFAULT);
    const hid_t gzip = chunked({1024});
    H5Pset_deflate(gzip, 9);
    make_dataset(file, "gzip", H5T_IEEE_F32LE, {huge}, nullptr, gzip);
  });
  const Reader reader(path);
  for (const char* name : {"contiguous", "overflow", "chunked", "wide_chunk", "gzip"}) {
    CAPTURE(name);
    CHECK(contains(refusal_of_reading([&] { reader.dataset(name); }), "claims float32"));
  }
}

TEST_CASE("compressed data is read, however much smaller than its shape") {
  const TempDir dir;
  const auto path = dir / "compressed.h5";
  const std::vector<float> zeros(200'000, 0.0F);
  make_file(path, [&](hid_t file) {
    const hid_t gzip = chunked({200'000});
    H5Pset_shuffle(gzip);
    H5Pset_deflate(gzip, 9);
    H5Pset_fletcher32(gzip);
    make_dataset(file, "zeros", H5T_IEEE_F32LE, {zeros.size()}, zeros.data(), gzip);
  });
  const Reader reader(path);
  const Dataset dataset = reader.dataset("zeros");
  CHECK(dataset.info().filters == "shuffle gzip fletcher32");
  std::vector<float> read(zeros.size(), 1.0F);
  dataset.read(read);
  CHECK(read == zeros);
}

TEST_CASE("gzip twice, other filters and data outside the file are refused") {
  const TempDir dir;
  const auto path = dir / "filters.h5";
  const std::vector<float> values = counting(64);
  std::ofstream(dir / "raw.bin") << std::string(256, 'x');
  make_file(path, [&](hid_t file) {
    const hid_t twice = chunked({64});
    H5Pset_deflate(twice, 9);
    H5Pset_deflate(twice, 9);
    make_dataset(file, "twice", H5T_IEEE_F32LE, {64}, values.data(), twice);
    const hid_t scale = chunked({64});
    H5Pset_scaleoffset(scale, H5Z_SO_FLOAT_DSCALE, 3);
    make_dataset(file, "scaleoffset", H5T_IEEE_F32LE, {64}, values.data(), scale);
    const hid_t external = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(external, (dir / "raw.bin").c_str(), 0, 256);
    make_dataset(file, "external", H5T_IEEE_F32LE, {64}, nullptr, external);
    const hid_t virtual_view = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t size = 64;
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    H5Pset_virtual(virtual_view, space, "other.h5", "data", space);
    make_dataset(file, "view", H5T_IEEE_F32LE, {64}, nullptr, virtual_view);
    H5Lcreate_external("/etc/passwd", "data", file, "outward", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/twice", file, "soft", H5P_DEFAULT, H5P_DEFAULT);
  });
  const Reader reader(path);
  CHECK(contains(refusal_of_reading([&] { reader.dataset("twice"); }), "compressed twice"));
  CHECK(contains(refusal_of_reading([&] { reader.dataset("scaleoffset"); }), "filter 6"));
  CHECK(contains(refusal_of_reading([&] { reader.dataset("external"); }), "in another file"));
  CHECK(contains(refusal_of_reading([&] { reader.dataset("view"); }), "virtual"));
  CHECK(contains(refusal_of_reading([&] { reader.dataset("outward"); }), "link out of the file"));
  CHECK(contains(refusal_of_reading([&] { reader.dataset("soft"); }), "soft link"));
  CHECK_THROWS_AS(reader.exists("soft"), InputError);
}

TEST_CASE("a file that is not HDF5 is described") {
  const TempDir dir;
  std::ofstream(dir / "text") << "not HDF5";
  std::ofstream(dir / "empty");
  CHECK(contains(refusal_of_reading([&] { Reader(dir / "text"); }), "not an HDF5 file"));
  CHECK(contains(refusal_of_reading([&] { Reader(dir / "empty"); }), "not an HDF5 file"));
  CHECK(contains(refusal_of_reading([&] { Reader{dir.path()}; }), "not a regular file"));
  CHECK_THROWS_AS(Reader(dir / "missing"), SystemError);
}

TEST_CASE("a file cut anywhere is refused, or its remaining data is read") {
  const TempDir dir;
  const auto path = dir / "whole.h5";
  const std::vector<float> values = counting(300);
  make_file(path,
            [&](hid_t file) { make_dataset(file, "data", H5T_IEEE_F32LE, {300}, values.data()); });
  const auto size = std::filesystem::file_size(path);
  for (std::uintmax_t kept = 0; kept < size; kept += 41) {
    CAPTURE(kept);
    const auto cut = dir / "cut.h5";
    std::filesystem::copy_file(path, cut, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(cut, kept);
    CHECK_THROWS_AS(
        {
          const Reader reader(cut);
          std::vector<float> read(300);
          reader.dataset("data").read(read);
        },
        InputError);
  }
}

TEST_CASE("if memory is short, the file is not blamed") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  MESSAGE("skipped: sanitizers do not live with a limit on memory");
#else
  const TempDir dir;
  const Shape shape{std::size_t{16} << 20};  // one chunk of 64 MiB
  make_file(dir / "x.h5", [&](hid_t file) {
    const hid_t creation = chunked(shape);
    H5Pset_deflate(creation, 1);
    make_dataset(file, "x", H5T_IEEE_F32LE, shape, counting(shape[0]).data(), creation);
    H5Pclose(creation);
  });
  const Reader reader(dir / "x.h5");
  const Dataset dataset = reader.dataset("x");
  std::vector<float> values(shape[0]);
  const int status = in_child([&] {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t used = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const rlimit limit{used + (rlim_t{1} << 20), RLIM_INFINITY};
    ::setrlimit(RLIMIT_AS, &limit);
    try {
      dataset.read(values);
    } catch (const std::bad_alloc&) {
      return;
    }
    throw std::runtime_error("it was read");
  });
  CHECK(status == 0);
  dataset.read(values);
  CHECK(values == counting(shape[0]));
#endif
}

}  // namespace
}  // namespace elmo::h5

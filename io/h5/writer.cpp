#include "io/h5/writer.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "io/h5/library.h"

namespace elmo::h5 {
namespace {

// HDF5 compares each read with all parts of a virtual dataset, at 0.15 µs each. Another level of
// the tree costs about 2 µs per read.
constexpr std::size_t kMaxParts = 16;

// Characters of strings that are buffered; long strings are written before they fill a chunk.
constexpr std::size_t kStringBytes = std::size_t{4} << 20;

// On normally distributed float32 after shuffle, level 1 leaves 86 % at 49 MB/s, level 6 leaves 85
// % at 19 MB/s, and level 9 no less at 6 MB/s.
constexpr unsigned kGzipLevel = 1;

/// Properties of a new object without time stamps.
Handle untimed(hid_t property_class) {
  Handle properties(check<SystemError>(H5Pcreate(property_class), "preparing HDF5"));
  check<SystemError>(H5Pset_obj_track_times(properties.id(), false), "preparing HDF5");
  return properties;
}

Handle simple_space(std::span<const std::uint64_t> shape) {
  const std::vector<hsize_t> sizes(shape.begin(), shape.end());
  return Handle(check<SystemError>(
      H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), "preparing HDF5"));
}

std::vector<const char*> pointers(std::span<const std::string> strings) {
  std::vector<const char*> result;
  for (const std::string& string : strings) result.push_back(string.c_str());
  return result;
}

/// A dataset stores a variable-length string as a reference: length, address, index.
constexpr std::size_t kStringReferenceBytes = 16;

}  // namespace

void require_compression(Compression compression) {
  if (compression == Compression::zstd && !load_zstd()) {
    throw RequestError(missing_zstd() + ", or use gzip, which needs no plugin");
  }
}

Writer::Writer(const std::filesystem::path& path) : path_(path) {
  const Call call;
  transfer_ = Handle(check<SystemError>(H5Pcreate(H5P_DATASET_XFER), "preparing HDF5"));
  // HDF5 clears two buffers of this size, by default 1 MiB, for each write of strings. What fits is
  // converted, and its chunk written, at once.
  check<SystemError>(H5Pset_buffer(transfer_.id(), kChunkBytes, nullptr, nullptr),
                     "preparing HDF5");
  const Handle access = file_access();
  const Handle creation = untimed(H5P_FILE_CREATE);
  file_ =
      Handle(check<SystemError>(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.id(), access.id()),
                                "making " + path.string()));
}

Writer::~Writer() {
  if (!file_) return;
  const Call call;
  // HDF5 1.10 eventually crashes when it closes a file that it could not write to, for example on a
  // full disk. So the identifier stays open, and truncating the file frees its disk space.
  static_cast<void>(::truncate(path_.c_str(), 0) == 0);
  file_.release();
}

void Writer::close() {
  const Call call;
  check<SystemError>(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL), "writing " + path_.string());
  check<SystemError>(H5Fclose(file_.release()), "closing " + path_.string());
}

void Writer::create_attribute(const std::string& name, std::int64_t type, std::int64_t memory_type,
                              const Handle& space, const void* value) {
  const std::string doing = "writing attribute " + name + " of " + path_.string();
  const Handle attribute(check<SystemError>(
      H5Acreate2(file_.id(), name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT), doing));
  check<SystemError>(H5Awrite(attribute.id(), memory_type, value), doing);
}

void Writer::write_attribute(const std::string& name, std::string_view value) {
  const Call call;
  const Handle type = file_type(Element::string);
  const std::string text(value);
  const char* characters = text.c_str();
  create_attribute(name, type.id(), type.id(), simple_space({}), &characters);
}

void Writer::write_attribute(const std::string& name, std::span<const std::string> values) {
  const Call call;
  const Handle type = file_type(Element::string);
  const std::uint64_t count = values.size();
  create_attribute(name, type.id(), type.id(), simple_space({&count, 1}), pointers(values).data());
}

void Writer::write_attribute(const std::string& name, std::uint64_t value) {
  const Call call;
  create_attribute(name, H5T_STD_U64LE, H5T_NATIVE_UINT64, simple_space({}), &value);
}

void Writer::create_groups(const std::string& path) {
  for (std::size_t end = path.find('/', 1); end != std::string::npos;
       end = path.find('/', end + 1)) {
    const std::string group = path.substr(0, end);
    const std::string doing = "writing " + path_.string() + ": " + group;
    if (check<SystemError>(H5Lexists(file_.id(), group.c_str(), H5P_DEFAULT), doing) > 0) continue;
    const Handle properties = untimed(H5P_GROUP_CREATE);
    const Handle made(check<SystemError>(
        H5Gcreate2(file_.id(), group.c_str(), H5P_DEFAULT, properties.id(), H5P_DEFAULT), doing));
  }
}

Handle Writer::create_dataset(const std::string& path, const Handle& type, const Handle& space,
                              const Handle& creation) {
  create_groups(path);
  // A chunk is written once and whole: a cache would only copy it.
  const Handle access(check<SystemError>(H5Pcreate(H5P_DATASET_ACCESS), "preparing HDF5"));
  check<SystemError>(H5Pset_chunk_cache(access.id(), 0, 0, 0.0), "preparing HDF5");
  return Handle(check<SystemError>(H5Dcreate2(file_.id(), path.c_str(), type.id(), space.id(),
                                              H5P_DEFAULT, creation.id(), access.id()),
                                   "writing " + path_.string() + ": " + path));
}

void Writer::fill_dataset(const std::string& path, const Handle& type, const Handle& space,
                          const void* values) {
  const std::string doing = "writing " + path_.string() + ": " + path;
  Handle dataset = create_dataset(path, type, space, untimed(H5P_DATASET_CREATE));
  check<SystemError>(
      H5Dwrite(dataset.id(), type.id(), kWholeSpace, kWholeSpace, transfer_.id(), values), doing);
  // Values may reach the file only now. HDF5 1.14 crashes when it flushes a file with a dataset
  // that could not be closed.
  check<SystemError>(H5Dclose(dataset.release()), doing);
}

void Writer::write(const std::string& path, std::span<const std::uint64_t> shape,
                   std::span<const float> values) {
  write(path, shape, Element::float32, std::as_bytes(values));
}

void Writer::write(const std::string& path, std::span<const std::uint64_t> shape, Element element,
                   std::span<const std::byte> values) {
  const Call call;
  const Handle type = file_type(element);
  fill_dataset(path, type, simple_space(shape), values.data());
}

void Writer::write(const std::string& path, std::span<const std::string> values) {
  const Call call;
  const Handle type = file_type(Element::string);
  const std::uint64_t count = values.size();
  fill_dataset(path, type, simple_space({&count, 1}), pointers(values).data());
}

void Writer::write_virtual(const std::string& path, Element element,
                           std::span<const std::uint64_t> row_shape,
                           std::vector<VirtualPart> parts) {
  const Call call;
  const Handle type = file_type(element);
  std::size_t nodes = 0;
  while (parts.size() > kMaxParts) {
    std::vector<VirtualPart> above;
    for (std::size_t begin = 0; begin < parts.size(); begin += kMaxParts) {
      const std::size_t count = std::min(kMaxParts, parts.size() - begin);
      const std::string node = "tree/" + path + "/" + std::to_string(nodes++);
      above.push_back(
          {".", node,
           create_virtual(node, type, row_shape, std::span(parts).subspan(begin, count))});
    }
    parts = std::move(above);
  }
  create_virtual(path, type, row_shape, parts);
}

/// Creates a single node; returns its number of rows.
std::uint64_t Writer::create_virtual(const std::string& path, const Handle& type,
                                     std::span<const std::uint64_t> row_shape,
                                     std::span<const VirtualPart> parts) {
  const std::string doing = "writing " + path_.string() + ": " + path;
  std::vector<std::uint64_t> shape{0};
  shape.insert(shape.end(), row_shape.begin(), row_shape.end());
  for (const VirtualPart& part : parts) shape.front() += part.rows;
  const Handle space = simple_space(shape);
  const Handle creation = untimed(H5P_DATASET_CREATE);
  std::vector<hsize_t> start(shape.size(), 0);
  std::vector<hsize_t> extent(shape.begin(), shape.end());
  for (const VirtualPart& part : parts) {
    if (part.rows == 0) continue;
    extent.front() = part.rows;
    const Handle source = simple_space(std::vector<std::uint64_t>(extent.begin(), extent.end()));
    check<SystemError>(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr,
                                           extent.data(), nullptr),
                       doing);
    check<SystemError>(H5Pset_virtual(creation.id(), space.id(), part.file.c_str(),
                                      part.path.c_str(), source.id()),
                       doing);
    start.front() += part.rows;
  }
  check<SystemError>(H5Sselect_all(space.id()), doing);
  create_dataset(path, type, space, creation);
  return shape.front();
}

Column::Column(Writer& writer, std::string path, Element element,
               std::vector<std::uint64_t> row_shape, Compression compression)
    : writer_(&writer),
      path_(std::move(path)),
      element_(element),
      row_shape_(std::move(row_shape)),
      compression_(compression),
      row_bytes_(element == Element::string ? kStringReferenceBytes : element_bytes(element)) {
  for (const std::uint64_t size : row_shape_) row_bytes_ *= size;
  chunk_rows_ = std::max<std::uint64_t>(1, kChunkBytes / std::max<std::size_t>(1, row_bytes_));
  type_ = file_type(element);
}

Column::~Column() {
  // Truncates the file as for an abandoned one: see ~Writer.
  dataset_.release();
}

void Column::append(std::span<const std::byte> rows) {
  const std::size_t chunk_bytes = chunk_rows_ * row_bytes_;
  rows_ += rows.size() / row_bytes_;
  while (!rows.empty()) {
    if (pending_.empty() && rows.size() >= chunk_bytes) {
      write_rows(chunk_rows_, rows.data(), chunk_rows_);
      rows = rows.subspan(chunk_bytes);
      continue;
    }
    const std::size_t taken = std::min(rows.size(), chunk_bytes - pending_.size());
    pending_.insert(pending_.end(), rows.begin(),
                    rows.begin() + static_cast<std::ptrdiff_t>(taken));
    rows = rows.subspan(taken);
    if (pending_.size() == chunk_bytes) flush(chunk_rows_);
  }
}

void Column::append(std::string_view string) {
  ++rows_;
  string_starts_.push_back(characters_.size());
  characters_ += string;
  characters_ += '\0';
  if (string_starts_.size() == chunk_rows_ || characters_.size() >= kStringBytes) {
    flush(chunk_rows_);
  }
}

void Column::finish() {
  // If nothing was written before, the remaining rows are the whole dataset.
  flush(element_ == Element::string ? string_starts_.size() : pending_.size() / row_bytes_);
  if (!dataset_) create(1);
  const Call call;
  check<SystemError>(H5Dclose(dataset_.release()),
                     "closing " + writer_->path_.string() + ": " + path_);
}

void Column::flush(std::uint64_t chunk_rows) {
  if (element_ == Element::string) {
    std::vector<const char*> strings;
    strings.reserve(string_starts_.size());
    for (const std::size_t start : string_starts_) strings.push_back(characters_.data() + start);
    write_rows(strings.size(), strings.data(), chunk_rows);
    characters_.clear();
    string_starts_.clear();
  } else {
    write_rows(pending_.size() / row_bytes_, pending_.data(), chunk_rows);
    pending_.clear();
  }
}

void Column::create(std::uint64_t chunk_rows) {
  const Call call;
  const std::string doing = "writing " + writer_->path_.string() + ": " + path_;
  std::vector<hsize_t> size{0};
  size.insert(size.end(), row_shape_.begin(), row_shape_.end());
  std::vector<hsize_t> most = size;
  most.front() = H5S_UNLIMITED;
  const Handle space(check<SystemError>(
      H5Screate_simple(static_cast<int>(size.size()), size.data(), most.data()), doing));
  const Handle creation(check<SystemError>(H5Pcreate(H5P_DATASET_CREATE), doing));
  check<SystemError>(H5Pset_obj_track_times(creation.id(), false), doing);
  size.front() = chunk_rows;
  check<SystemError>(H5Pset_chunk(creation.id(), static_cast<int>(size.size()), size.data()),
                     doing);
  if (compression_ != Compression::none) {
    check<SystemError>(H5Pset_shuffle(creation.id()), doing);
  }
  if (compression_ == Compression::gzip) {
    check<SystemError>(H5Pset_deflate(creation.id(), kGzipLevel), doing);
  } else if (compression_ == Compression::zstd) {
    // The filter is optional, like gzip: HDF5 accepts no other kind for strings.
    check<SystemError>(H5Pset_filter(creation.id(), kZstdFilter, H5Z_FLAG_OPTIONAL, 1, &kZstdLevel),
                       doing);
  }
  dataset_ = writer_->create_dataset(path_, type_, space, creation);
}

void Column::write_rows(std::uint64_t rows, const void* values, std::uint64_t chunk_rows) {
  if (rows == 0) return;
  const Call call;
  const std::string doing = "writing " + writer_->path_.string() + ": " + path_;
  if (!dataset_) create(chunk_rows);
  std::vector<hsize_t> start(row_shape_.size() + 1, 0);
  std::vector<hsize_t> extent{written_ + rows};
  extent.insert(extent.end(), row_shape_.begin(), row_shape_.end());
  check<SystemError>(H5Dset_extent(dataset_.id(), extent.data()), doing);
  start.front() = written_;
  extent.front() = rows;
  const Handle file_space(check<SystemError>(H5Dget_space(dataset_.id()), doing));
  check<SystemError>(H5Sselect_hyperslab(file_space.id(), H5S_SELECT_SET, start.data(), nullptr,
                                         extent.data(), nullptr),
                     doing);
  const Handle memory_space(check<SystemError>(
      H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), doing));
  check<SystemError>(H5Dwrite(dataset_.id(), type_.id(), memory_space.id(), file_space.id(),
                              writer_->transfer_.id(), values),
                     doing);
  written_ += rows;
}

}  // namespace elmo::h5

#include "io/h5/column.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "io/h5/library.h"

namespace elmo::h5 {
namespace {

/// A dataset stores a variable-length string as a reference: length, address, index.
constexpr std::size_t kStringReferenceBytes = 16;

}  // namespace

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
  // As with an abandoned file: see ~Writer.
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
  check<SystemError>(
      H5Dwrite(dataset_.id(), type_.id(), memory_space.id(), file_space.id(), H5P_DEFAULT, values),
      doing);
  written_ += rows;
}

}  // namespace elmo::h5

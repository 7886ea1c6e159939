// A dataset of a file that is open for reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "io/h5/types.h"

namespace elmo::h5 {

/// Consecutive rows that are stored in the file exactly as in memory.
struct StoredRows {
  std::uint64_t first = 0;   ///< index of the first row in the dataset
  std::uint64_t count = 0;   ///< number of rows
  std::uint64_t offset = 0;  ///< position of the first row in the file, in bytes
};

/// Reads one dataset, even after its Reader is gone. Movable. Calls are serialized within io/h5, so
/// any thread may use it. InputError naming the file and the dataset if the data cannot be read or
/// does not have the requested form.
class Dataset {
 public:
  const DatasetInfo& info() const { return info_; }

  /// Reads all of a dataset of floats, converted to float32. `values` has info().count() elements.
  void read(std::span<float> values) const;

  /// Reads `count` rows starting at `first`; `values` has count * info().row_count() elements.
  /// Floats of any width are converted to float32. uint32 and uint64 must be stored as such.
  void read_rows(std::uint64_t first, std::uint64_t count, std::span<float> values) const;
  void read_rows(std::uint64_t first, std::uint64_t count, std::span<std::uint32_t> values) const;
  void read_rows(std::uint64_t first, std::uint64_t count, std::span<std::uint64_t> values) const;

  /// Reads rows in the stored type, little-endian; `bytes` has exactly the size of these rows.
  /// Otherwise as above.
  void read_rows(std::uint64_t first, std::uint64_t count, std::span<std::byte> bytes) const;

  /// Returns where the rows of a contiguous or chunked dataset of little-endian numbers are stored,
  /// in row order. `file` holds the bytes of its file. Returns nothing if they are stored
  /// otherwise: compressed, in the other byte order, not written yet, or in a form that
  /// chunk_addresses does not support. The result is not checked against the size of the file.
  std::vector<StoredRows> stored_rows(std::span<const std::byte> file) const;

  /// Returns the `count` strings that start at index `first` of a one-dimensional string dataset.
  /// InputError if they have more bytes than their file; a virtual dataset has no such limit.
  std::vector<std::string> read_strings(std::uint64_t first, std::uint64_t count) const;

 private:
  friend class Reader;
  Dataset(Handle handle, DatasetInfo info, std::string name, std::uint64_t file_bytes)
      : handle_(std::move(handle)),
        info_(std::move(info)),
        name_(std::move(name)),
        file_bytes_(file_bytes) {}

  void require(bool fits, const std::string& wanted) const;
  std::vector<VirtualPart> virtual_parts() const;
  void read_raw(std::uint64_t first, std::uint64_t count, std::int64_t memory_type, void* values,
                std::int64_t transfer = 0) const;  // 0: H5P_DEFAULT

  Handle handle_;
  DatasetInfo info_;
  std::string name_;  ///< "file: /path", for messages
  std::uint64_t file_bytes_;
};

/// Calls `use` with the bytes of a dataset of numbers, in blocks of about 1 MiB or of whole chunks,
/// in the stored type, little-endian. Errors as Dataset::read_rows.
void for_each_block(const Dataset& dataset,
                    const std::function<void(std::span<const std::byte>)>& use);

/// Calls `use` with each string of a dataset. Errors as Dataset::read_strings.
void for_each_string(const Dataset& dataset, const std::function<void(const std::string&)>& use);

/// A chunked dataset whose chunks span all dimensions but the first.
struct ChunkedRows {
  std::uint64_t header = 0;       ///< address of its object header
  std::size_t rank = 0;           ///< dimensions
  std::uint64_t chunk_rows = 0;   ///< at least 1
  std::uint64_t chunk_bytes = 0;  ///< size of a chunk, uncompressed
  std::uint64_t chunks = 0;
};

/// Returns the addresses of the chunks in row order. `file` holds the bytes of a whole untrusted
/// file and begins with its superblock. Returns nothing if the structures have another version than
/// the one Writer writes, or if a chunk is missing, compressed or damaged. The addresses are not
/// checked against the size of the file. Source: HDF5 File Format Specification 3.0, sections
/// III.A.1 (version 1 B-trees), IV.A.1.b (version 2 object headers) and IV.A.2.i (data layout
/// message).
std::vector<std::uint64_t> chunk_addresses(std::span<const std::byte> file,
                                           const ChunkedRows& dataset);

}  // namespace elmo::h5

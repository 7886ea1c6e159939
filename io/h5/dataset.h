// A dataset of a file that is open for reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/h5/handle.h"
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

  /// As above, in the stored type, little-endian; `bytes` has exactly the size of these rows.
  void read_rows(std::uint64_t first, std::uint64_t count, std::span<std::byte> bytes) const;

  /// Returns where the rows of a contiguous or chunked dataset of little-endian numbers are stored,
  /// in row order. `file` holds the bytes of its file. Returns nothing if they are stored
  /// otherwise: compressed, in the other byte order, not written yet, or in a form that
  /// chunk_addresses does not support. The result is not checked against the size of the file.
  std::vector<StoredRows> stored_rows(std::span<const std::byte> file) const;

  /// Returns the `count` strings that start at index `first` of a one-dimensional string dataset.
  std::vector<std::string> read_strings(std::uint64_t first, std::uint64_t count) const;

 private:
  friend class Reader;
  Dataset(Handle handle, DatasetInfo info, std::string name)
      : handle_(std::move(handle)), info_(std::move(info)), name_(std::move(name)) {}

  void require(bool fits, const std::string& wanted) const;
  std::vector<VirtualPart> virtual_parts() const;
  void read_raw(std::uint64_t first, std::uint64_t count, std::int64_t memory_type,
                void* values) const;

  Handle handle_;
  DatasetInfo info_;
  std::string name_;  ///< "file: /path", for messages
};

}  // namespace elmo::h5

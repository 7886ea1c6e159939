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

/// Rows that lie in a file as they lie in memory, one after another.
struct StoredRows {
  std::uint64_t first = 0;   ///< of the dataset
  std::uint64_t count = 0;   ///< of rows
  std::uint64_t offset = 0;  ///< of the first one in the file, in bytes
};

/// Reads one dataset, also when the Reader it came from is gone. Movable.
/// Calls are serialized within io/h5, so any thread may use it. Where data is not what is asked for
/// or cannot be read: InputError naming the file and the dataset.
class Dataset {
 public:
  const DatasetInfo& info() const { return info_; }

  /// Reads all of a dataset of floats, converted to float32. `values` has info().count() elements.
  void read(std::span<float> values) const;

  /// Reads `count` rows from `first` on; `values` has count * info().row_count() elements. Floats
  /// of any width are converted to float32; uint32 and uint64 have to be stored as that.
  void read_rows(std::uint64_t first, std::uint64_t count, std::span<float> values) const;
  void read_rows(std::uint64_t first, std::uint64_t count, std::span<std::uint32_t> values) const;
  void read_rows(std::uint64_t first, std::uint64_t count, std::span<std::uint64_t> values) const;

  /// As above, in the stored type, little endian; `bytes` has room for exactly these rows.
  void read_rows(std::uint64_t first, std::uint64_t count, std::span<std::byte> bytes) const;

  /// Where the rows of a contiguous or chunked dataset of little-endian numbers lie, in their
  /// order, by `file`, the bytes of its file; nothing where they lie in another form: compressed,
  /// of the other byte order, not written, or as chunk_addresses does not know it. Nobody has
  /// looked whether the file is as long.
  std::vector<StoredRows> stored_rows(std::span<const std::byte> file) const;

  /// Strings `first` … `first + count - 1` of a one-dimensional dataset of strings.
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

// Writes an HDF5 file: attributes, whole datasets, and datasets that grow row by row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/h5/types.h"

namespace elmo::h5 {

/// Throws a RequestError if this process cannot compress in this way. The message says what is
/// missing and where it was sought. HDF5 may load only this one plugin, and only if the user asks
/// for it or a file needs it: no file can make it load other code. Any thread.
void require_compression(Compression compression);

/// Writes a file whose bytes depend only on the data: no time stamps, one version of the format.
/// Missing groups on a path are created. Errors: SystemError naming the file and the system's
/// reason. A Writer and its columns are used by one thread at a time.
class Writer {
 public:
  /// Creates an empty file, or empties an existing one.
  explicit Writer(const std::filesystem::path& path);
  /// Abandons a file that was not closed: empties it, but does not remove it.
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Attributes of the root group.
  void write_attribute(const std::string& name, std::string_view value);
  void write_attribute(const std::string& name, std::span<const std::string> values);
  void write_attribute(const std::string& name, std::uint64_t value);

  /// A contiguous dataset, row-major; the number of `values` is the product of the shape.
  void write(const std::string& path, std::span<const std::uint64_t> shape,
             std::span<const float> values);
  /// A one-dimensional dataset of UTF-8 strings without NUL.
  void write(const std::string& path, std::span<const std::string> values);
  /// A contiguous dataset, row-major, of numbers in the memory format of `element` in files.
  void write(const std::string& path, std::span<const std::uint64_t> shape, Element element,
             std::span<const std::byte> values);

  /// A dataset of `element` with rows of `row_shape` that maps datasets of other files, one after
  /// the other. Many parts become a tree whose inner nodes are virtual datasets, too: /tree/PATH/0,
  /// …
  void write_virtual(const std::string& path, Element element,
                     std::span<const std::uint64_t> row_shape, std::vector<VirtualPart> parts);

  /// Writes everything and closes the file. Does not sync it to the disk.
  void close();

 private:
  friend class Column;

  void create_attribute(const std::string& name, std::int64_t type, std::int64_t memory_type,
                        const Handle& space, const void* value);
  Handle create_dataset(const std::string& path, const Handle& type, const Handle& space,
                        const Handle& creation);
  void fill_dataset(const std::string& path, const Handle& type, const Handle& space,
                    const void* values);
  void create_groups(const std::string& path);
  std::uint64_t create_virtual(const std::string& path, const Handle& type,
                               std::span<const std::uint64_t> row_shape,
                               std::span<const VirtualPart> parts);

  std::filesystem::path path_;
  Handle transfer_;  // properties of writing datasets
  Handle file_;
};

/// Bytes of one chunk of a dataset, or of one row if that is larger. Small enough for readers that
/// pick single sentences, large enough to be written at the disk's speed.
inline constexpr std::size_t kChunkBytes = std::size_t{256} << 10;

/// Appends rows to one dataset of a Writer, which must outlive it. Buffers one chunk, or for
/// strings at most 4 MiB and the last string. A dataset that fits into one chunk takes no
/// more space than its rows. Errors and threads: as Writer.
class Column {
 public:
  /// Rows have the shape `row_shape` (empty: single elements) and the type `element`. The
  /// compression must have passed require_compression.
  Column(Writer& writer, std::string path, Element element, std::vector<std::uint64_t> row_shape,
         Compression compression);
  ~Column();
  Column(Column&&) = default;
  Column& operator=(Column&&) = delete;

  /// Whole rows, little endian. Not for strings.
  void append(std::span<const std::byte> rows);

  /// One UTF-8 string without NUL. Only for strings.
  void append(std::string_view string);

  /// Writes the remaining rows; nothing can be appended afterwards.
  void finish();

  std::uint64_t rows() const { return rows_; }  ///< appended so far

 private:
  void create(std::uint64_t chunk_rows);
  /// `chunk_rows`: rows of a chunk if the dataset has not been created yet.
  void write_rows(std::uint64_t rows, const void* values, std::uint64_t chunk_rows);
  void flush(std::uint64_t chunk_rows);

  Writer* writer_;
  std::string path_;
  Element element_;
  std::vector<std::uint64_t> row_shape_;
  Compression compression_;
  std::size_t row_bytes_;
  std::uint64_t chunk_rows_;
  std::uint64_t rows_ = 0;
  std::uint64_t written_ = 0;
  std::vector<std::byte> pending_;  ///< rows that do not fill a chunk yet
  std::string characters_;          ///< strings that do not fill a chunk yet, each ended by NUL
  std::vector<std::size_t> string_starts_;  ///< start of each of these strings
  Handle type_;
  Handle dataset_;
};

}  // namespace elmo::h5

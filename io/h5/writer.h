// Writes an HDF5 file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/h5/handle.h"
#include "io/h5/types.h"

namespace elmo::h5 {

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
  Handle file_;
};

}  // namespace elmo::h5

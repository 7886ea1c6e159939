// An HDF5 file that is being made.
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

/// Makes a file whose bytes depend on what is written only: no time stamps, one version of the
/// format. Groups on a path are made where they are missing. Errors: SystemError naming the file
/// and the system's reason. One thread at a time for one Writer and its columns.
class Writer {
 public:
  /// Makes the file, empty, or empties the one that is there.
  explicit Writer(const std::filesystem::path& path);
  /// Abandons a file that was not closed, which is then of no use and without content; the file
  /// itself stays.
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Attributes of the root group.
  void write_attribute(const std::string& name, std::string_view value);
  void write_attribute(const std::string& name, std::span<const std::string> values);
  void write_attribute(const std::string& name, std::uint64_t value);

  /// A contiguous dataset, row-major; `values` has as many elements as the shape says.
  void write(const std::string& path, std::span<const std::uint64_t> shape,
             std::span<const float> values);
  /// A one-dimensional dataset of strings, in UTF-8 and without NUL.
  void write(const std::string& path, std::span<const std::string> values);
  /// A contiguous dataset, row-major, of numbers that lie in memory as `element` does in files.
  void write(const std::string& path, std::span<const std::uint64_t> shape, Element element,
             std::span<const std::byte> values);

  /// A dataset of `element` and rows of `row_shape` that shows datasets of other files, one after
  /// the other. Many parts make a tree, whose inner nodes are virtual datasets, too: /tree/PATH/0,
  /// …
  void write_virtual(const std::string& path, Element element,
                     std::span<const std::uint64_t> row_shape, std::vector<VirtualPart> parts);

  /// Writes everything and closes the file. What is on the disk then is the system's to say: sync.
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

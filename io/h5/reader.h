// An untrusted HDF5 file, open for reading.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/files/descriptor.h"
#include "io/files/mapped_file.h"
#include "io/h5/dataset.h"

namespace elmo::h5 {

/// Treatment of datasets that are views of data in other files.
enum class VirtualDatasets { refused, allowed };

/// Returns whether a file begins with the signature of HDF5. Does not read pipes.
bool is_hdf5(const std::filesystem::path& path);

/// Opens a file for HDF5. SystemError naming the path if it cannot be opened.
Descriptor open_hdf5(const std::filesystem::path& path);

/// Returns the size of the file. InputError if it is not a regular file; messages call it `name`.
std::uint64_t readable_size(const Descriptor& file, const std::string& name);

/// Reads a file without trusting it. Every object is reached over hard links only, its data is
/// stored in the file itself, and filters are gzip, zstd, shuffle and fletcher32. A dataset cannot
/// claim to be larger than its bytes in the file allow. Buffers for a Dataset are thus no larger
/// than the file; if it is compressed, 1032 times that, the maximum of gzip, or 32768 times with
/// zstd. The strings of a read are no larger than the file either. Lists of strings in attributes
/// are an exception: they have at most 1024 strings, each no longer than the file, but may store
/// several as one. Paths are relative to the root group, with or without a leading "/". Calls are
/// serialized within io/h5: any thread may use it. Errors: InputError naming the file, the object,
/// what was found and what was expected; SystemError if the file cannot be opened at all.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& path,
                  VirtualDatasets virtual_datasets = VirtualDatasets::refused);
  /// Reads a file that was opened at `path`, even if another file has that path by now, unless the
  /// system has no /proc; messages call it `name`. Virtual datasets support only virtual_parts().
  Reader(const Descriptor& file, const std::filesystem::path& path, std::string name,
         VirtualDatasets virtual_datasets = VirtualDatasets::refused);

  const std::string& name() const { return name_; }
  std::uint64_t bytes() const { return file_bytes_; }  ///< size of the file

  /// True if a group or a dataset has that path.
  bool exists(const std::string& path) const;

  /// Returns the dataset at that path, with its shape and type checked as described above.
  Dataset dataset(const std::string& path) const;

  /// Returns the datasets of other files that a virtual dataset maps, in row order. A tree of
  /// virtual datasets, as Writer creates it, is followed to its leaves. Empty if the dataset is not
  /// virtual. InputError if it maps anything else.
  std::vector<VirtualPart> virtual_parts(const std::string& path) const;

  /// Names of a group's links, sorted.
  std::vector<std::string> links(const std::string& group) const;

  /// Maps this open file into memory. SystemError if it cannot be mapped.
  MappedFile map() const;

  /// The attribute of the root group with that name, if any.
  std::optional<std::string> string_attribute(const std::string& name) const;
  std::optional<std::vector<std::string>> strings_attribute(const std::string& name) const;
  std::optional<std::uint64_t> integer_attribute(const std::string& name) const;

  /// Names of the root group's attributes, sorted.
  std::vector<std::string> attributes() const;

 private:
  void open_file(const Descriptor& file, const std::filesystem::path& path);
  Handle open(const std::string& path) const;
  DatasetInfo inspect(const Handle& dataset, const std::string& name) const;
  Handle attribute(const std::string& name, Element element, int rank) const;

  std::string name_;
  VirtualDatasets virtual_datasets_;
  std::uint64_t file_bytes_ = 0;
  Handle file_;
};

}  // namespace elmo::h5

// An HDF5 file, open for reading, that nobody vouches for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/files/descriptor.h"
#include "io/files/mapped_file.h"
#include "io/h5/dataset.h"
#include "io/h5/handle.h"

namespace elmo::h5 {

/// Whether a file's datasets may be views of other files' data.
enum class VirtualDatasets { refused, allowed };

/// Opens a file that HDF5 is to read. SystemError naming the path where it cannot be opened.
Descriptor open_hdf5(const std::filesystem::path& path);

/// Its size. InputError where it is no regular file; `name` is what messages call it.
std::uint64_t readable_size(const Descriptor& file, const std::string& name);

/// Reads a file without trusting it: every object is reached over hard links only, its data lies in
/// the file itself, filters are gzip, zstd, shuffle and fletcher32, and a dataset cannot claim to
/// be larger than what its bytes in the file can hold, so that whoever allocates for a Dataset
/// allocates no more than the file's size (compressed: 1032 times that, the most that gzip can do,
/// 32768 with zstd). Paths are relative to the root group, with or without a leading "/". Calls are
/// serialized within io/h5: any thread may use it. Errors: InputError naming the file, the object,
/// what was found and what was expected; SystemError where the file cannot be opened at all.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& path,
                  VirtualDatasets virtual_datasets = VirtualDatasets::refused);
  /// Of a file that is open, whatever has its path by now; `name` is what messages call it. Of
  /// virtual datasets only virtual_parts() can be read.
  Reader(const Descriptor& file, std::string name,
         VirtualDatasets virtual_datasets = VirtualDatasets::refused);

  const std::string& name() const { return name_; }
  std::uint64_t bytes() const { return file_bytes_; }  ///< size of the file

  /// True where a group or a dataset has that path.
  bool exists(const std::string& path) const;

  /// The dataset of that path, its shape and type checked as said above.
  Dataset dataset(const std::string& path) const;

  /// The datasets of other files that a virtual dataset shows, in the order of its rows: a tree of
  /// virtual datasets, as Writer makes it, is followed to its leaves. None where it is not virtual.
  /// InputError where it shows anything else.
  std::vector<VirtualPart> virtual_parts(const std::string& path) const;

  /// Names of the links of a group, sorted.
  std::vector<std::string> links(const std::string& group) const;

  /// The bytes of this same open file. SystemError where it cannot be mapped.
  MappedFile map() const;

  /// Attributes of the root group: nothing where there is none of that name.
  std::optional<std::string> string_attribute(const std::string& name) const;
  std::optional<std::vector<std::string>> strings_attribute(const std::string& name) const;
  std::optional<std::uint64_t> integer_attribute(const std::string& name) const;

  /// Names of the root group's attributes, sorted.
  std::vector<std::string> attributes() const;

 private:
  Reader(const Descriptor& file, const std::filesystem::path& opened, std::string name,
         VirtualDatasets virtual_datasets);
  Handle open(const std::string& path) const;
  DatasetInfo inspect(const Handle& dataset, const std::string& name) const;
  Handle attribute(const std::string& name, Element element, int rank) const;

  std::string name_;
  VirtualDatasets virtual_datasets_;
  std::uint64_t file_bytes_ = 0;
  Handle file_;
};

}  // namespace elmo::h5

// An HDF5 file, open for reading, that nobody vouches for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/h5/dataset.h"
#include "io/h5/handle.h"

namespace elmo::h5 {

/// Whether a file's datasets may be views of other files' data.
enum class VirtualDatasets { refused, allowed };

/// Reads a file without trusting it: every object is reached over hard links only, its data lies in
/// the file itself, filters are gzip, zstd, shuffle and fletcher32, and a dataset cannot claim to
/// be larger than what its bytes in the file can hold, so that whoever allocates for a Dataset
/// allocates no more than the file's size (compressed: 1032 times that, the most that gzip can do,
/// 32768 with zstd). Paths are relative to the root group, with or without a leading "/". Calls are
/// serialised within io/h5: any thread may use it. Errors: InputError naming the file, the object,
/// what was found and what was expected; SystemError where the file cannot be opened at all.
class Reader {
 public:
  /// `name` is what messages call the file; empty: its path.
  explicit Reader(const std::filesystem::path& path,
                  VirtualDatasets virtual_datasets = VirtualDatasets::refused,
                  std::string name = "");

  const std::string& name() const { return name_; }
  std::uint64_t bytes() const { return file_bytes_; }  ///< size of the file

  /// True where a group or a dataset has that path.
  bool exists(const std::string& path) const;

  /// The dataset of that path, its shape and type checked as said above.
  Dataset dataset(const std::string& path) const;

  /// Names of the links of a group, sorted.
  std::vector<std::string> links(const std::string& group) const;

  /// Attributes of the root group: nothing where there is none of that name.
  std::optional<std::string> string_attribute(const std::string& name) const;
  std::optional<std::vector<std::string>> strings_attribute(const std::string& name) const;
  std::optional<std::uint64_t> integer_attribute(const std::string& name) const;

  /// Names of the root group's attributes, sorted.
  std::vector<std::string> attributes() const;

 private:
  Handle open(const std::string& path) const;
  DatasetInfo inspect(const Handle& dataset, const std::string& name) const;
  Handle attribute(const std::string& name, Element element, int rank) const;

  std::string name_;
  VirtualDatasets virtual_datasets_;
  std::uint64_t file_bytes_ = 0;
  Handle file_;
};

}  // namespace elmo::h5

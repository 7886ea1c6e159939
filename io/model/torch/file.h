// Files of tensors that PyTorch has saved: the state_dict of a module, on a CPU or on a GPU.
//
//   until 1.5   five pickles one after another: a magic number, the protocol 1001, what machine it
//               was, the object, the keys of its storages; then for each key, in that order, an
//               int64 count and as many numbers
//   from 1.6    a zip archive: PREFIX/data.pkl, PREFIX/data/KEY for each storage
//
// The object is an ordered dictionary from names to tensors. All numbers are little endian.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/files/mapped_file.h"
#include "io/model/torch/pickle.h"

namespace elmo::torch {

/// The tensors of a file. Movable; any thread may read.
class TensorFile {
 public:
  /// `name` is what messages call the file. All sizes are checked: that each storage is there whole
  /// and no larger than it is said to be, that tensors lie within theirs and have no more numbers
  /// in all than the storages. Takes no more memory than the file's size warrants. InputError as
  /// read_pickle, and for what is neither of the two formats; SystemError where it cannot be read.
  TensorFile(const std::filesystem::path& path, const std::string& name);

  const std::string& name() const { return name_; }

  /// By their names.
  const std::map<std::string_view, TensorReference>& tensors() const { return tensors_; }

  /// Writes the numbers of a tensor of this file, row-major and as float32, to `to`, which has
  /// room for them.
  void read(const TensorReference& tensor, std::span<float> to) const;

 private:
  void read_pickles(std::string_view bytes);
  void read_archive(const std::filesystem::path& path, std::uint64_t file_bytes);
  void take_tensors(const Pickle& pickle, std::uint64_t file_bytes);
  [[noreturn]] void refuse(const std::string& found, const std::string& expected) const;

  std::string name_;
  std::optional<MappedFile> file_;
  std::string pickle_;                          // of an archive
  std::map<std::string, std::string> members_;  // storages of an archive, by their keys
  std::map<std::string_view, StorageReference> storages_;
  std::map<std::string_view, std::string_view> contents_;  // of the storages
  std::map<std::string_view, TensorReference> tensors_;
};

}  // namespace elmo::torch

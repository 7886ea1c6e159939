// Tensor files saved by PyTorch: the state_dict of a module, on a CPU or a GPU.
//
//   until 1.5   five pickles one after another: a magic number, the protocol 1001, a description of
//               the machine, the object, the keys of its storages; then for each key, in that
//               order, an int64 count and as many numbers
//   from 1.6    a zip archive: PREFIX/data.pkl, PREFIX/data/KEY for each storage
//
// The object is an ordered dictionary from names to tensors. All numbers are little-endian.
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
#include "io/model/torch_pickle.h"

namespace elmo::torch {

/// The tensors of a file. Movable; any thread may read.
class TensorFile {
 public:
  /// Messages call the file `name`. All sizes are checked: each storage is complete and no larger
  /// than stated, and tensors are within their storages and have no more numbers in total than
  /// these. Memory is bounded by the file's size. InputError as read_pickle, and for files in
  /// neither of the two formats; SystemError if the file cannot be read.
  TensorFile(const std::filesystem::path& path, const std::string& name);

  const std::string& name() const { return name_; }

  /// The tensors by name.
  const std::map<std::string_view, TensorReference>& tensors() const { return tensors_; }

  /// Writes the numbers of a tensor of this file to `to`, row-major and as float32. `to` must have
  /// the tensor's size.
  void read(const TensorReference& tensor, std::span<float> to) const;

 private:
  void read_pickles(std::string_view bytes);
  void read_archive(const std::filesystem::path& path, std::uint64_t file_bytes);
  void take_tensors(const Pickle& pickle, std::uint64_t file_bytes);
  [[noreturn]] void refuse(const std::string& found, const std::string& expected) const;

  std::string name_;
  std::optional<MappedFile> file_;
  std::string pickle_;                          // pickle of an archive
  std::map<std::string, std::string> members_;  // storages of an archive, by key
  std::map<std::string_view, StorageReference> storages_;
  std::map<std::string_view, std::string_view> contents_;  // contents of the storages
  std::map<std::string_view, TensorReference> tensors_;
};

}  // namespace elmo::torch

// Checkpoints of TensorFlow in its second format (V2), which it calls tensor bundles:
//
//   NAME.index                  a table (tensorflow_table.h): the type, shape, position and
//                               checksum of each variable; under the empty name, the number of
//                               shards and their byte order
//   NAME.data-00000-of-00001    the numbers of the variables, row-major; one file per shard
//
// The table's values are protocol buffers: BundleHeaderProto and BundleEntryProto in TensorFlow's
// core/protobuf/tensor_bundle.proto.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/stored_parameters.h"
#include "io/files/mapped_file.h"
#include "io/model/archive.h"

namespace elmo::tensorflow {

/// A variable as the index describes it. Nothing but `shape` is checked yet.
struct Variable {
  std::uint64_t type = 0;  ///< DataType in TensorFlow's types.proto
  std::vector<std::uint64_t> shape;
  std::uint64_t shard = 0;
  std::uint64_t offset = 0;  ///< position of its first byte in the shard
  std::uint64_t bytes = 0;
  std::uint32_t checksum = 0;  ///< see masked_crc32c
  bool is_partitioned = false;
};

/// The variables of a checkpoint. One thread.
class Bundle {
 public:
  /// Reads the index of a checkpoint. Memory is bounded by its size, at most kMaxTableBytes.
  /// InputError as read_table, and for values that cannot be parsed, big-endian numbers and a newer
  /// format; SystemError if the file cannot be read.
  explicit Bundle(const ModelFile& index);

  bool has(const std::string& variable) const { return variables_.contains(variable); }

  /// Returns the numbers of a variable of this shape: in the mapped shard, or in their own memory
  /// if their type or alignment differs there. They outlive this object. InputError, naming the
  /// variable, what was found and what was expected, if it is missing, is neither float32 nor
  /// float64, has another shape or checksum, is partitioned, or is not inside its shard; also if
  /// the variables read so far claim more bytes than their shard has, or if the shard is missing.
  /// SystemError if it cannot be read.
  ParameterValues numbers(const std::string& variable, const std::vector<std::uint64_t>& shape);

 private:
  struct Shard {
    std::shared_ptr<const MappedFile> file;
    std::string name;
    std::uint64_t claimed = 0;  // bytes of the variables read so far
  };

  void read_header(std::string_view value);
  const Variable& find(const std::string& variable, const std::vector<std::uint64_t>& shape) const;
  Shard& shard(std::uint64_t number);
  std::span<const std::byte> stored_bytes(const std::string& name, const Variable& variable);
  [[noreturn]] void refuse(const std::string& found, const std::string& expected) const;

  ModelFile index_;
  std::string name_;
  std::uint64_t shard_count_ = 0;
  std::map<std::string, Variable> variables_;
  std::map<std::uint64_t, Shard> shards_;
};

}  // namespace elmo::tensorflow

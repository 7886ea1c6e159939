// Describes a shard or an index by its attributes and shapes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/h5/types.h"

namespace elmo {

struct ShardDescription {
  std::string format;       ///< shard_format::kShardFormat or kIndexFormat
  std::uint64_t bytes = 0;  ///< size of the file
  std::vector<std::pair<std::string, std::string>> attributes;  ///< sorted; lists joined by ", "
  std::vector<std::pair<std::string, h5::DatasetInfo>> datasets;
};

/// Reads the attributes and shapes of a shard or an index, but no data. Returns nothing if the file
/// is another kind of HDF5 file. InputError for a file that is damaged or not HDF5; SystemError if
/// it cannot be opened. For a run's folder, see read_manifest.
std::optional<ShardDescription> describe_shard(const std::filesystem::path& path);

}  // namespace elmo

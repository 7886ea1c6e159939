// What a shard or an index says about itself.
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

/// Reads a shard's or an index's attributes and shapes, none of its data. Nothing where the file is
/// an HDF5 file of another kind. InputError for a file that is damaged or no HDF5 file; SystemError
/// where it cannot be opened. A run's folder is described by its
/// manifest, see read_manifest.
std::optional<ShardDescription> describe_shard(const std::filesystem::path& path);

}  // namespace elmo

// Values that the index of a merged run stores: the numbers of the whole run.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "io/shard/format/columns.h"
#include "io/shard/manifest/manifest.h"

namespace elmo {

/// True if an index stores that column as numbers of the whole run. It also stores the ids of
/// documents.
bool is_stored(const Manifest& manifest, const ShardColumn& column);

/// Receives the stored values, each column in row order.
class StoredUse {
 public:
  virtual ~StoredUse() = default;
  /// Whole rows, little-endian.
  virtual void numbers(const ShardColumn& column, std::span<const std::byte> values) = 0;
  virtual void document_ids(std::span<const std::string> ids) = 0;
};

/// Passes the values of all shards of a merged run to `use`, opening each shard once, in bounded
/// memory. Errors: InputError for a shard that cannot be read; SystemError.
void for_each_stored(const std::filesystem::path& folder, const Manifest& manifest, StoredUse& use);

}  // namespace elmo

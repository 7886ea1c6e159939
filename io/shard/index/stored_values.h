// What the index of a merged run holds itself: the numbers of the whole.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "io/shard/format/columns.h"
#include "io/shard/manifest/manifest.h"

namespace elmo {

/// Whether an index stores that column as numbers of the whole. Besides these it stores the
/// documents' ids.
bool is_stored(const Manifest& manifest, const ShardColumn& column);

/// Gets what an index stores, each column in the order of its rows.
class StoredUse {
 public:
  virtual ~StoredUse() = default;
  /// Whole rows, little endian.
  virtual void numbers(const ShardColumn& column, std::span<const std::byte> values) = 0;
  virtual void document_ids(std::span<const std::string> ids) = 0;
};

/// Goes through all shards of a merged run, each opened once, in bounded memory. Errors: InputError
/// for a shard that cannot be read; SystemError.
void for_each_stored(const std::filesystem::path& folder, const Manifest& manifest, StoredUse& use);

}  // namespace elmo

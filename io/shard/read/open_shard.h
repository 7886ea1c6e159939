// Opens a shard of a run and compares it with the run's manifest.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

#include "io/shard/manifest/manifest.h"
#include "io/shard/read/shard_reader.h"

namespace elmo {

/// Opens shard `number` of `manifest`, the manifest of `folder`. Errors as ShardReader; also
/// InputError for a shard that is missing, has changed in size, contradicts its entry, or has
/// another layout or dtype than the run. Any thread.
std::unique_ptr<ShardReader> open_shard(const std::filesystem::path& folder,
                                        const Manifest& manifest, std::size_t number);

}  // namespace elmo

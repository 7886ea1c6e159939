// A shard of a run, opened for what the run's manifest says of it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

#include "io/shard/manifest/manifest.h"
#include "io/shard/read/shard_reader.h"

namespace elmo {

/// Opens the shard of that number in the manifest, which is the folder's. Errors as ShardReader;
/// InputError, too, for a shard that is missing or of another size than it had, and for one that
/// contradicts its entry or is of another layout or dtype than the run. Any thread.
std::unique_ptr<ShardReader> open_shard(const std::filesystem::path& folder,
                                        const Manifest& manifest, std::size_t number);

}  // namespace elmo

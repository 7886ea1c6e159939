// Mixes the layers of a run, without computing the biLM again.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/common/listener.h"
#include "cli/common/task_mix.h"
#include "io/dtype.h"
#include "io/h5/types.h"
#include "io/shard/shard_run.h"

namespace elmo {

struct MixRequest {
  std::string run;     ///< folder of a run with all layers
  std::string folder;  ///< of the shards
  RunMode mode = RunMode::create;
  LayerMixing mixing;
  std::optional<Dtype> dtype;  ///< nothing: the run's
  h5::Compression compression = h5::Compression::none;
};

struct MixOutcome {
  bool stopped = false;
  std::uint64_t shards = 0;  ///< published
  std::uint64_t tokens = 0;  ///< mixed by this process
};

/// Mixes the run shard by shard, until `stop` is true. Errors: as RunRows and ShardRun, but a
/// SystemError also says what is published; InputError if the folder was begun with another run.
MixOutcome run_mix(const MixRequest& request, RunListener& listener, const std::atomic<bool>& stop);

}  // namespace elmo

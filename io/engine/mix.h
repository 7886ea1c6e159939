// Mixes the layers of a run, without computing the biLM again.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "io/dtype.h"
#include "io/engine/listener.h"
#include "io/engine/mixing.h"
#include "io/files/atomic_file.h"
#include "io/h5/types.h"

namespace elmo {

struct MixRequest {
  std::string run;             ///< folder of a run with all layers
  std::string output;          ///< folder of the shards
  EmbedOptions mixing;         ///< weights, gamma and layer normalization, without `task`
  TaskMixRequest task;         ///< the task model of the mixture
  std::optional<Dtype> dtype;  ///< nothing: the run's
  h5::Compression compression = h5::Compression::none;
  RunMode mode = RunMode::create;
};

struct MixOutcome {
  bool stopped = false;
  std::uint64_t shards = 0;          ///< published
  std::uint64_t tokens = 0;          ///< mixed, by this process or before
  std::uint64_t earlier_tokens = 0;  ///< part of `tokens`: mixed before
};

/// Mixes the run shard by shard, until `stop` is true. Errors: as RunRows and ShardRun, but a
/// SystemError also says what is published; RequestError for an output that is the run itself;
/// InputError if the folder was begun with another run.
MixOutcome run_mix(const MixRequest& request, RunListener& listener, const std::atomic<bool>& stop);

}  // namespace elmo

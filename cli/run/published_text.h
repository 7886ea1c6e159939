// The message of a run that stopped.
#pragma once

#include <cstdint>
#include <string>

#include "cli/numbers/human.h"

namespace elmo {

/// "3 shards published; repeat the command with --resume to continue"
inline std::string published_text(std::uint64_t shards) {
  return human_count(shards, "shard") + " published; repeat the command with --resume to continue";
}

}  // namespace elmo

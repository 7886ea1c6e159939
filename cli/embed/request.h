// The given options of `elmo embed`, and their request.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/command.h"
#include "core/inference/options.h"
#include "io/engine/embed/request.h"

namespace elmo {

/// Options set `request` directly, except where the request has another form.
struct EmbedFlags : Flags<EmbedRequest> {
  std::uint64_t parts = 0;       ///< number of parts of the input; 0: not divided
  std::uint64_t part = 0;        ///< the part to embed
  std::optional<PoolKind> pool;  ///< nothing: a row per token
  PoolUnit pool_by = PoolUnit::sentence;
  bool unit_length = false;    ///< pooled rows get length 1
  bool average_words = false;  ///< a row per word: its mean vector
  std::string format;  ///< name of a form for standard output or word averages; empty: not given
  std::string layout = "shards";
  bool resume = false;
  bool overwrite = false;

  bool dry_run = false;
};

/// Returns the request. Errors: as validate(); RequestError for options that are incomplete or have
/// no effect.
EmbedRequest request_of(const EmbedFlags& flags);

}  // namespace elmo

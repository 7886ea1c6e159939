// How the batches in work are kept within a budget of memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/inference/options.h"
#include "core/model/options.h"

namespace elmo {

/// What a run may hold at once.
struct MemoryPlan {
  std::size_t batch_tokens = 0;   ///< a batch ends before it outgrows this; boundaries that are
                                  ///< computed count
  std::size_t max_in_flight = 0;  ///< batches held at once, at least 1
  std::size_t cache_bytes = 0;    ///< of token vectors, at most
};

/// Bytes that a row of a batch, a token or a boundary that is computed, takes at most, its text
/// included.
std::uint64_t batch_bytes_per_token(const ModelOptions& model, const EmbedOptions& options);

/// Bytes that a worker computes in, at most.
std::uint64_t workspace_bytes(const ModelOptions& model);

/// Divides options.memory_bytes among `workers` workspaces, the cache of token vectors (an eighth,
/// at most) and the batches in work. A batch keeps two workers busy, one for each direction, and
/// one more is being formed or written; where that many do not fit, batches become smaller, down to
/// kMinBatchTokens, and only then fewer. Batches of options.batch_tokens, where that is given,
/// keep their size. One sentence longer than a batch is still computed whole. The least does
/// not fit: RequestError, stating how much would; where options.memory_bytes is 0, the least.
MemoryPlan plan_memory(const ModelOptions& model, const EmbedOptions& options, int workers);

/// Smaller batches would have few sentences beside each other, and so read the weights often.
inline constexpr std::size_t kMinBatchTokens = 256;

}  // namespace elmo

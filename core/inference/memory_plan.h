// Plans the sizes of batches, cache and workspaces within a memory budget.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/inference/options.h"
#include "core/model/options.h"

namespace elmo {

/// The maximum that a run holds at once.
struct MemoryPlan {
  std::size_t batch_tokens = 0;   ///< a batch ends before it exceeds this; computed boundaries
                                  ///< count
  std::size_t max_in_flight = 0;  ///< batches held at once, at least 1
  std::size_t cache_bytes = 0;    ///< maximum size of the cached token vectors
};

/// Returns the maximum number of bytes per batch row (a token or a computed boundary), including
/// its text.
std::uint64_t batch_bytes_per_token(const ModelOptions& model, const EmbedOptions& options);

/// Returns the maximum number of bytes of a thread's workspace.
std::uint64_t workspace_bytes(const ModelOptions& model);

/// Returns the number of bytes of the lanes' states if state is carried; otherwise 0.
std::uint64_t carried_bytes(const ModelOptions& model, const EmbedOptions& options);

/// Divides resources.memory_bytes among the threads' workspaces, carried state, the token vector
/// cache (at most an eighth, and nothing that the smallest batch needs) and the batches in
/// progress. A batch keeps two workers busy, one per direction, and one more batch is being formed
/// or written. If so many batches do not fit, they become smaller, down to kMinBatchTokens, and
/// only then fewer. Batches of resources.batch_tokens, if given, keep their size. A sentence longer
/// than a batch is still computed whole. If the minimum does not fit: RequestError, stating the
/// size needed; but with resources.memory_bytes 0, returns the minimum. resources.threads and
/// resources.workers must not be 0.
MemoryPlan plan_memory(const ModelOptions& model, const EmbedOptions& options,
                       const Resources& resources);

/// Smaller batches would have few sentences in parallel and so read the weights often.
inline constexpr std::size_t kMinBatchTokens = 256;

}  // namespace elmo

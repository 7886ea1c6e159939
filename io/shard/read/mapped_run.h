// The activations of a run as its shards hold them, without a copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/inference/activation_source.h"
#include "io/files/mapped_file.h"
#include "io/shard/manifest/manifest.h"

namespace elmo {

/// Tokens that lie side by side in a shard.
struct MappedRows {
  TokenRange tokens;  ///< numbered in the run
  /// [tokens.size(), R, W] in the run's dtype, float32 or float16, aligned for it; null where the
  /// shard does not hold them so, being compressed or of another dtype: RunReader reads them.
  const std::byte* values = nullptr;
};

/// All tokens of a run in order, in pieces of a few hundred: for those who go through all of them,
/// by several threads. Shards are mapped into memory for as long as this lives; nobody may write
/// into them meanwhile. Any thread may read.
class MappedRun {
 public:
  /// `manifest` is the folder's. Errors as RunReader; SystemError where a shard cannot be mapped.
  MappedRun(const std::filesystem::path& folder, const Manifest& manifest);

  const std::vector<MappedRows>& pieces() const { return pieces_; }

 private:
  void map(const std::filesystem::path& folder, const Manifest& manifest, std::size_t number,
           std::uint64_t first_token);

  std::vector<MappedFile> files_;
  std::vector<MappedRows> pieces_;
};

}  // namespace elmo

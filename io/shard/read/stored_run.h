// The activations of a run as its shards hold them, without HDF5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/inference/activation_source.h"
#include "core/tensor/aligned.h"
#include "io/files/descriptor.h"
#include "io/files/mapped_file.h"
#include "io/shard/manifest/manifest.h"

namespace elmo {

/// Tokens that lie side by side in a shard.
struct StoredPiece {
  TokenRange tokens;         ///< numbered in the run
  bool stored = false;       ///< false: compressed or of another dtype, RunReader reads them
  std::size_t source = 0;    ///< which file
  std::uint64_t offset = 0;  ///< of the first token there
};

/// Where a thread reads pieces into. One thread.
struct PieceBuffer {
  Descriptor file;
  std::size_t source = 0;  ///< of `file`, where that is open
  AlignedVector<std::byte> bytes;
};

/// All tokens of a run in order, in pieces of a few hundred: for those who go through all of them,
/// by several threads. Nobody may write into the shards meanwhile. Any thread may read.
class StoredRun {
 public:
  /// `manifest` is the folder's. Errors as RunReader; SystemError where a shard cannot be mapped.
  StoredRun(const std::filesystem::path& folder, const Manifest& manifest);

  const std::vector<StoredPiece>& pieces() const { return pieces_; }

  /// [tokens.size(), R, W] of a piece that is stored, in the run's dtype, float32 or float16,
  /// aligned for it: read into `buffer`, or as it is mapped. InputError for a shard that ends
  /// early; SystemError.
  const std::byte* values(const StoredPiece& piece, PieceBuffer& buffer) const;

  /// Maps the shards into memory for as long as this lives, if they are not. That costs the next
  /// pass as much as reading, and those after it nothing. Not while others read. InputError for a
  /// shard of another size than it had; SystemError.
  void map();

 private:
  struct Source {
    std::filesystem::path path;
    std::uint64_t bytes = 0;
  };

  void add_shard(const std::filesystem::path& folder, const Manifest& manifest, std::size_t number,
                 std::uint64_t first_token);

  std::size_t token_bytes_;
  std::vector<Source> sources_;
  std::vector<MappedFile> mapped_;  ///< of `sources_`, or empty
  std::vector<StoredPiece> pieces_;
};

}  // namespace elmo

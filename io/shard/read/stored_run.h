// The stored activations of a run, read without HDF5.
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

/// Consecutive tokens in a shard.
struct StoredPiece {
  TokenRange tokens;         ///< numbered in the run
  bool stored = false;       ///< false if compressed or in another dtype; use RunReader
  std::size_t source = 0;    ///< index of the file
  std::uint64_t offset = 0;  ///< of the first token in the file
};

/// The buffer into which a thread reads pieces. One thread.
struct PieceBuffer {
  Descriptor file;
  std::size_t source = 0;  ///< index of `file`, if it is open
  AlignedVector<std::byte> bytes;
};

/// All tokens of a run in order, in pieces of a few hundred, for several threads that go through
/// all of them. Nobody may write into the shards meanwhile. Any thread may read.
class StoredRun {
 public:
  /// `manifest` is the manifest of `folder`. Errors as RunReader; SystemError if a shard cannot be
  /// mapped.
  StoredRun(const std::filesystem::path& folder, const Manifest& manifest);

  const std::vector<StoredPiece>& pieces() const { return pieces_; }

  /// Returns the values of a stored piece, [tokens.size(), R, W] in the run's dtype (float32 or
  /// float16), aligned for it. They are in `buffer` or in the mapped file. InputError for a shard
  /// that ends early; SystemError.
  const std::byte* values(const StoredPiece& piece, PieceBuffer& buffer) const;

  /// Maps the shards into memory, unless they are mapped already, for the lifetime of this object.
  /// The next pass then costs as much as reading, later passes nothing. No other thread may read
  /// meanwhile. InputError if a shard has changed in size; SystemError.
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
  std::vector<MappedFile> mapped_;  ///< maps of `sources_`, or empty
  std::vector<StoredPiece> pieces_;
};

}  // namespace elmo

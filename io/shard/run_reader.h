// Reads the activations of a run: RunReader for random access, RunPieces for passes over all of
// them without HDF5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/inference/activations.h"
#include "core/matrix.h"
#include "io/files/descriptor.h"
#include "io/files/mapped_file.h"
#include "io/shard/manifest.h"
#include "io/shard/shard_reader.h"

namespace elmo {

/// All shards in the manifest of a run's folder, in order; for an incomplete run, those published
/// so far. If shards list selected sentences or pooled rows, these are numbered from 0 through the
/// run; see ShardReader. Only a few shards are open at a time. Blocks do not extend past the end of
/// a shard. Errors and threads: as ShardReader; also InputError for a folder without a manifest and
/// for a shard that is missing, has changed in size, or contradicts its entry.
class RunReader final : public ActivationSource {
 public:
  explicit RunReader(const std::filesystem::path& folder);

  const std::filesystem::path& folder() const { return folder_; }
  const Manifest& manifest() const { return manifest_; }

  const ActivationLayout& layout() const override { return manifest_.layout; }
  std::uint64_t sentence_begin() const override { return 0; }
  std::uint64_t sentence_end() const override;
  std::uint64_t token_count() const override { return first_tokens_.back(); }
  TokenRange tokens_of(std::uint64_t number) override;
  void read(std::uint64_t number, const BlockLimit& limit, ActivationBlock& block) override;
  void read_activations(TokenRange tokens, std::span<float> values) override;

  /// Reads the text of these tokens, without activations.
  std::vector<std::string> read_tokens(TokenRange tokens);

 private:
  std::size_t shard_of(std::uint64_t sentence) const;
  ShardReader& open(std::size_t shard);
  /// Calls read(shard, tokens) for each shard with some of these tokens, with the tokens' numbers
  /// in the shard.
  template <typename Read>
  void for_each_shard(TokenRange tokens, Read read);

  std::filesystem::path folder_;
  Manifest manifest_;
  std::vector<std::uint64_t> first_tokens_;     ///< first token of each shard, then the total
  std::vector<std::uint64_t> first_sentences_;  ///< first sentence of each shard, then the total
  /// The open shards, most recently used first.
  std::deque<std::pair<std::size_t, std::unique_ptr<ShardReader>>> open_;
};

/// Consecutive tokens in a shard.
struct RunPiece {
  TokenRange tokens;         ///< numbered in the run
  bool stored = false;       ///< false if compressed or in another dtype; use RunReader
  std::size_t source = 0;    ///< index of the file
  std::uint64_t offset = 0;  ///< position of the first token in the file
  std::uint64_t bytes = 0;   ///< size of the values in the file
};

/// The buffer into which a thread reads pieces. One thread.
struct PieceBuffer {
  Descriptor file;
  std::size_t source = 0;  ///< index of `file`, if it is open
  AlignedVector<std::byte> bytes;
};

/// All tokens of a run in order, in pieces of a few hundred, for several threads that go through
/// all of them. Nobody may write into the shards meanwhile. Any thread may read.
class RunPieces {
 public:
  /// `manifest` is the manifest of `folder`. Errors as RunReader; SystemError if a shard cannot be
  /// mapped.
  RunPieces(const std::filesystem::path& folder, const Manifest& manifest);

  const std::vector<RunPiece>& pieces() const { return pieces_; }

  /// Returns the values of a stored piece, [tokens.size(), R, W] in the run's dtype (float32 or
  /// float16), aligned for it; fewer if offset and bytes were narrowed. They are in `buffer` or in
  /// the mapped file. InputError for a shard that ends early; SystemError.
  const std::byte* values(const RunPiece& piece, PieceBuffer& buffer) const;

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
  std::vector<RunPiece> pieces_;
};

}  // namespace elmo

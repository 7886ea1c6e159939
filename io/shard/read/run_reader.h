// The published shards of a run as a source of activations.
#pragma once

#include <cstddef>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/inference/activation_source.h"
#include "io/shard/manifest/manifest.h"
#include "io/shard/read/shard_reader.h"

namespace elmo {

/// All shards in the manifest of a run's folder, in order; for an incomplete run, those published
/// so far. If shards list selected sentences or pooled rows, these are numbered from 0 through the
/// run; see ShardReader. Only a few shards are open at a time. Blocks do not extend past the end of
/// a shard. Errors and threads: as ShardReader; also InputError for a folder without a manifest and
/// for a shard that is missing, has changed in size, or contradicts its entry.
class RunReader final : public ActivationSource {
 public:
  explicit RunReader(const std::filesystem::path& folder);

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

/// Opens a run's folder or a single shard, whose sentences keep their numbers. Errors as above.
std::unique_ptr<ActivationSource> open_activations(const std::filesystem::path& path);

}  // namespace elmo

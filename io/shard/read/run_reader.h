// What a run has published, as a source of activations.
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

/// All shards that the manifest of a run's folder lists, one after the other; a run that has not
/// ended has those published so far. Where shards list chosen sentences or pooled rows, these are
/// numbered from 0 through the run; see ShardReader. A few shards are open at a time. Blocks end
/// with shards. Errors and threads: as ShardReader; InputError, too, for a folder without a
/// manifest, for a shard that is missing or of another size than it had, and for one that
/// contradicts its entry.
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

  /// The text of these tokens alone.
  std::vector<std::string> read_tokens(TokenRange tokens);

 private:
  std::size_t shard_of(std::uint64_t sentence) const;
  ShardReader& open(std::size_t shard);
  /// read(shard, tokens) for each shard that has some of these tokens, numbered there.
  template <typename Read>
  void for_each_shard(TokenRange tokens, Read read);

  std::filesystem::path folder_;
  Manifest manifest_;
  std::vector<std::uint64_t> first_tokens_;     ///< of each shard, and the number of all tokens
  std::vector<std::uint64_t> first_sentences_;  ///< likewise
  /// The shards that are open, the one used last in front.
  std::deque<std::pair<std::size_t, std::unique_ptr<ShardReader>>> open_;
};

/// Opens a run's folder or a single shard, whose sentences keep their numbers. Errors as above.
std::unique_ptr<ActivationSource> open_activations(const std::filesystem::path& path);

}  // namespace elmo

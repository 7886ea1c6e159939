// The list of what a run has published: manifest.json. FORMAT.md describes it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/inference/sink.h"
#include "io/dtype.h"
#include "io/fingerprint.h"
#include "io/shard/manifest/input_account.h"
#include "io/shard/manifest/parts.h"

namespace elmo {

/// A published file as it was found when it was checked.
struct PublishedFile {
  std::string file;  ///< name in the run's folder
  std::uint64_t bytes = 0;
  std::string checksum;  ///< of the whole file, see Checksum
};

/// InputError for a published file that is missing or of another size than it had.
void require_size(const std::filesystem::path& path, const PublishedFile& file);

/// One published shard.
struct ShardEntry : PublishedFile {
  std::uint64_t first_sentence = 0;
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::uint64_t documents = 0;  ///< that have a sentence in this shard
  std::uint64_t truncated_tokens = 0;
  std::uint64_t unknown_tokens = 0;
  /// Sentences of its stretch of the input that it does not list: they have no row, or share one.
  std::uint64_t unlisted_sentences = 0;
  std::string input_hash;                        ///< InputHash after its last sentence
  std::map<std::string, std::string> checksums;  ///< of each dataset's values; see FORMAT.md
  std::optional<ResumePosition>
      position;  ///< at or before its last sentence, where the input has positions

  std::uint64_t next_sentence() const { return first_sentence + sentences + unlisted_sentences; }
  /// Whether it lists its sentences by number, not one after the other.
  bool lists_sentences() const;
};

/// Which part a run is.
struct RunPart {
  InputPart part;
  std::optional<PartCounts> counts;  ///< there once the run is complete
};

/// A part of a run that was merged from parts.
struct JoinedPart {
  std::string folder;        ///< name in the run's folder
  std::uint64_t shards = 0;  ///< number of the run's shards that are its own
  PartBase base;
  PublishedFile manifest;  ///< names in the part's folder
  PublishedFile index;
};

struct Manifest {
  RunFingerprint fingerprint;
  std::string options;  ///< ShardFormat::options
  ActivationLayout layout;
  Dtype dtype = Dtype::float32;
  std::vector<ShardEntry> shards;
  std::optional<PublishedFile> index;  ///< there once the run is complete
  std::optional<RunPart> part;         ///< of a run that is a part
  /// Of a run that was merged: its shards are those of the parts, named by paths in the run's
  /// folder, their sentences numbered through the whole.
  std::vector<JoinedPart> parts;

  bool complete() const { return index.has_value(); }
  /// What is added to the numbers that shard number `shard` holds.
  PartBase base_of(std::size_t shard) const;
};

/// "x, forward_1, backward_1 of 512": names of the rows and their width.
std::string layout_text(const ActivationLayout& layout);

/// JSON text of a manifest, the same for equal manifests, and back. InputError naming `name` for
/// text that is no manifest of this version.
std::string manifest_text(const Manifest& manifest);
Manifest parse_manifest(const std::string& text, const std::string& name);

/// The manifest of a folder, or none where the folder has none. InputError as above; SystemError
/// where it cannot be read.
std::optional<Manifest> read_manifest(const std::filesystem::path& folder);

/// The same of a folder that has to have one: InputError, too, where it has none.
Manifest require_manifest(const std::filesystem::path& folder);

}  // namespace elmo

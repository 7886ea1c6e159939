// manifest.json, the list of the files a run has published, and the parts of a run that are
// computed separately, each in its own folder. Described in FORMAT.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/inference/activations.h"
#include "core/inference/sentence.h"
#include "io/dtype.h"
#include "io/provenance.h"
#include "io/text/input/input_range.h"
#include "io/text/input/resume_position.h"

namespace elmo {

/// The name of a part's folder inside the folder of the whole run: "part-00003-of-00064".
std::string part_folder_name(const InputPart& part);

/// Maximum number of parts of a run.
inline constexpr std::uint64_t kMaxParts = 100'000;

/// Returns the part that a folder name denotes; nothing for more than kMaxParts parts, and for
/// names that part_folder_name does not return.
std::optional<InputPart> part_of_folder_name(std::string_view name);

/// Returns the name of a part's folder in a folder; nothing if it has none. SystemError if the
/// folder cannot be read.
std::optional<std::string> part_in(const std::filesystem::path& folder);

/// "3 of 64, from 0": the component of a part's provenance that differs between parts.
std::string part_text(const InputPart& part);

/// The amounts to add to the numbers of a part to convert them to numbers of the whole run.
struct PartBase {
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;  ///< rows
  std::uint64_t documents = 0;
  std::uint64_t lines = 0;  ///< added to lines of the part's documents below `line_documents`
  std::uint64_t line_documents = 0;  ///< documents in the file that the part begins inside

  std::uint32_t document(std::uint32_t number) const {
    return static_cast<std::uint32_t>(number + documents);
  }
  /// Converts `line`, a line in document `number` of the part.
  std::uint64_t line(std::uint64_t line, std::uint32_t number) const {
    return line + (number < line_documents ? lines : 0);
  }
  /// Returns a document of the part with the numbers of the whole run.
  Document joined(const Document& document) const;

  bool operator==(const PartBase&) const = default;
};

/// Computes the base of each part, in order. One thread.
class PartBases {
 public:
  /// Returns the base of the next part, given its counts and its numbers of sentences and rows.
  PartBase next(const PartCounts& counts, std::uint64_t sentences, std::uint64_t tokens);

 private:
  std::uint64_t sentences_ = 0;
  std::uint64_t tokens_ = 0;
  std::uint64_t documents_ = 0;
  std::uint64_t lines_ = 0;  ///< lines before the next part in the file that it begins inside
};

/// A published file with the size and checksum it had when it was checked.
struct ListedFile {
  std::string file;  ///< name in the run's folder
  std::uint64_t bytes = 0;
  std::string checksum;  ///< checksum of the whole file; see Checksum
};

/// InputError if a published file is missing or has changed in size.
void require_size(const std::filesystem::path& path, const ListedFile& file);

/// Contents of a shard.
struct ShardCounts {
  std::uint64_t first_sentence = 0;
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::uint64_t documents = 0;  ///< documents with a sentence in this shard
  std::uint64_t truncated_tokens = 0;
  std::uint64_t unknown_tokens = 0;
  /// Sentences in its range of the input that it does not list, because they have no row of their
  /// own.
  std::uint64_t unlisted_sentences = 0;
  std::string input_hash;  ///< InputHash after its last sentence

  std::uint64_t next_sentence() const { return first_sentence + sentences + unlisted_sentences; }
};

/// One published shard.
struct ShardEntry : ListedFile, ShardCounts {
  ListedFile tables;  ///< file of its sentences and documents
  /// Checksum of each dataset's values; see FORMAT.md.
  std::map<std::string, std::string> checksums;
  std::optional<ResumePosition> position;  ///< at or before its last sentence, if any

  /// True if it lists its sentences by number instead of consecutively.
  bool lists_sentences() const;
  /// The tables and the shard.
  std::vector<ListedFile> files() const { return {tables, static_cast<const ListedFile&>(*this)}; }
  /// Bytes of both files.
  std::uint64_t stored_bytes() const { return bytes + tables.bytes; }
};

/// InputError if a file of a shard in `folder` is missing or has changed in size.
void require_sizes(const std::filesystem::path& folder, const ShardEntry& shard);

/// Number and counts of a run that is a part.
struct RunPart {
  InputPart part;
  std::optional<PartCounts> counts;  ///< set once the run is complete
};

/// A part of a run that was merged from parts.
struct JoinedPart {
  std::string folder;        ///< name in the run's folder
  std::uint64_t shards = 0;  ///< number of the run's shards that belong to it
  PartBase base;
  ListedFile manifest;  ///< file names relative to the part's folder
  ListedFile index;
};

/// The content of manifest.json: a run and its published files. FORMAT.md documents it.
struct Manifest {
  Provenance provenance;
  std::string options = "{}";  ///< ShardFormat::options
  ActivationLayout layout;
  Dtype dtype = Dtype::float32;
  std::vector<ShardEntry> shards;
  std::optional<ListedFile> index;  ///< set once the run is complete
  std::optional<RunPart> part;      ///< set if the run is a part
  /// Set if the run was merged: its shards are the shards of the parts, named by paths in the run's
  /// folder, and their sentences are numbered across all parts.
  std::vector<JoinedPart> parts;

  bool complete() const { return index.has_value(); }
  /// The amounts to add to the numbers in shard `shard`.
  PartBase base_of(std::size_t shard) const;
};

/// Formats the names of the rows and their width: "x, forward_1, backward_1 of 512".
std::string layout_text(const ActivationLayout& layout);

/// Converts a manifest to JSON and back; equal manifests give equal text. InputError naming `name`
/// if the text is not a manifest of this version.
std::string manifest_text(const Manifest& manifest);
Manifest parse_manifest(const std::string& text, const std::string& name);

/// Returns the manifest of a folder, or nothing if it has none. InputError as above; SystemError if
/// the manifest cannot be read.
std::optional<Manifest> read_manifest(const std::filesystem::path& folder);

/// Returns whether a folder has a manifest.json of another program, such as a web application's. A
/// file that is not JSON is taken for a damaged manifest of a run. SystemError if it cannot be
/// read.
bool holds_other_manifest(const std::filesystem::path& folder);

/// Like read_manifest, but a missing manifest is an InputError.
Manifest require_manifest(const std::filesystem::path& folder);

}  // namespace elmo

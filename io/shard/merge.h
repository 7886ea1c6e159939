// Merges the parts of a run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/files/atomic_file.h"
#include "io/shard/manifest.h"

namespace elmo {

/// The parts in a folder, which is locked. Each part is an ordinary run in a folder of its own, see
/// part_folder_name. One thread.
class PartMerge {
 public:
  /// Reads the manifest of every part. InputError naming the conflict if the folder is missing,
  /// holds no part or holds a run of its own, or if the parts belong to different runs: another
  /// number of parts or another provenance. SystemError if another process is writing into the
  /// folder.
  explicit PartMerge(const std::filesystem::path& folder);

  /// OutputFolder::warning of the folder.
  const std::string& warning() const { return locked_.warning(); }

  /// Writes the index and the manifest of the whole run, each atomically, and nothing else. Returns
  /// the manifest. InputError, naming them, for parts that are missing or incomplete, and for a
  /// part's file that is missing, cannot be read, is of another run, or has changed in size or in
  /// what is read of it: all but activations, tokens and spans. SystemError. May be repeated.
  Manifest run();

 private:
  void add_part(std::uint64_t number);
  void require_all() const;
  Manifest joined() const;

  std::filesystem::path folder_;
  OutputFolder locked_;
  std::uint64_t count_ = 0;
  std::vector<std::uint64_t> missing_;     // parts without a folder or a manifest; ascending
  std::vector<std::uint64_t> unfinished_;  // parts whose run is incomplete; ascending
  std::vector<Manifest> parts_;
};

}  // namespace elmo

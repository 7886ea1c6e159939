// Joining the parts of a run to one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/files/lock.h"
#include "io/shard/manifest/manifest.h"

namespace elmo {

/// The parts in a folder, which is locked: each an ordinary run in a folder of its own, see
/// part_folder_name. One thread.
class PartMerge {
 public:
  /// Looks at every part's manifest. InputError, naming what does not fit, where the folder is
  /// missing, holds no part or a run of its own, or where parts are not those of one run: another
  /// number of parts, another fingerprint. SystemError where another process writes into the
  /// folder.
  explicit PartMerge(const std::filesystem::path& folder);

  std::uint64_t count() const { return count_; }
  /// Parts that have no folder, or none with a manifest; ascending.
  const std::vector<std::uint64_t>& missing() const { return missing_; }
  /// Parts that have not come to their end; ascending.
  const std::vector<std::uint64_t>& unfinished() const { return unfinished_; }
  /// FolderLock::warning of the folder.
  const std::string& warning() const { return lock_.warning(); }

  /// Writes the index and the manifest of the whole, each whole or not at all, and nothing else.
  /// All parts have to be there (std::logic_error). InputError for a part's file that is missing,
  /// of another size than it had, or cannot be read; SystemError. To do it again is harmless.
  Manifest run();

 private:
  void add_part(std::uint64_t number);
  Manifest joined() const;

  std::filesystem::path folder_;
  FolderLock lock_;
  std::uint64_t count_ = 0;
  std::vector<std::uint64_t> missing_;
  std::vector<std::uint64_t> unfinished_;
  std::vector<Manifest> parts_;
};

}  // namespace elmo

// Checkpoints: all that a training run needs to go on as if it had never stopped.
//
// DIR/checkpoints/step-0000001234.h5 is a file as io/train/checkpoint_file.h has it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/train/optimizer.h"
#include "io/fingerprint.h"
#include "io/train/checkpoint_file.h"

namespace elmo {

/// Writes a checkpoint of the run in `folder` and gives its path. It gets its name once it is on
/// the disk, whole. Only then are the others removed but for the `kept` - 1 newest of earlier
/// steps; those of later steps, which the run did not go on from, are removed as well. What an
/// interrupted call left behind is removed first. SystemError where writing fails: the others are
/// as they were, and no part of the new one is left. Takes no memory for the arrays. No other
/// thread may be in io/h5.
std::filesystem::path write_checkpoint(const std::filesystem::path& folder,
                                       const Checkpoint& checkpoint,
                                       std::span<const StateArray> arrays, std::size_t kept);

/// The checkpoints of a run's folder, newest first; none where it has none. Unfinished ones are not
/// among them. SystemError where the folder cannot be read.
std::vector<std::filesystem::path> find_checkpoints(const std::filesystem::path& folder);

/// Reads one checkpoint and, when it has proved sound, overwrites `arrays`, which are found by
/// their names. InputError where it is truncated or damaged, where its fingerprint is not
/// `expected`, naming what differs, or where its arrays are not those, naming the first;
/// SystemError where it cannot be opened.
Checkpoint read_checkpoint(const std::filesystem::path& path, const RunFingerprint& expected,
                           std::span<const StateArray> arrays);

/// The checkpoint that a run goes on from.
struct RestoredCheckpoint {
  std::filesystem::path path;
  Checkpoint checkpoint;
  std::vector<std::string> damaged;  ///< what is wrong with each newer one, for people
};

/// Reads the newest checkpoint that is sound, as read_checkpoint does; nothing where there is none
/// at all. InputError where all are damaged, telling of each.
std::optional<RestoredCheckpoint> read_newest_checkpoint(const std::filesystem::path& folder,
                                                         const RunFingerprint& expected,
                                                         std::span<const StateArray> arrays);

}  // namespace elmo

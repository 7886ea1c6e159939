// Checkpoints: everything that a training run needs to continue as if it had never stopped.
//
// DIR/checkpoints/step-0000001234.h5 has the format of io/train/checkpoint_file.h.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/train/optimizer.h"
#include "core/train/session.h"
#include "io/fingerprint.h"
#include "io/train/checkpoint_file.h"

namespace elmo {

/// Writes a checkpoint of the run in `folder` and returns its path. The file gets its name once it
/// is completely on disk. Only then are other checkpoints removed, except the `kept` - 1 newest of
/// earlier steps; those of later steps, which the run did not resume from, are removed too.
/// Leftovers of an interrupted call are removed first. SystemError if writing fails; the other
/// checkpoints are then unchanged, and no part of the new one is left. Needs no memory for the
/// arrays. No other thread may be in io/h5.
std::filesystem::path write_checkpoint(const std::filesystem::path& folder,
                                       const Checkpoint& checkpoint,
                                       std::span<const StateArray> arrays, std::size_t kept);

/// The checkpoints in a run's folder, newest first, without unfinished ones. May be empty.
/// SystemError if the folder cannot be read.
std::vector<std::filesystem::path> find_checkpoints(const std::filesystem::path& folder);

/// The checkpoint that a run resumes from.
struct RestoredCheckpoint {
  std::filesystem::path path;
  Checkpoint checkpoint;
  std::vector<std::string> damaged;  ///< error message for each newer, damaged checkpoint
};

/// Reads the newest undamaged checkpoint, see read_checkpoint_file. Returns nothing if there is no
/// checkpoint. InputError if all are damaged, naming each.
std::optional<RestoredCheckpoint> read_newest_checkpoint(const std::filesystem::path& folder,
                                                         const RunFingerprint& expected,
                                                         std::span<const StateArray> arrays);

/// Stores a run's checkpoints in its folder. `Checkpoint checkpoint_of(const State&)` must convert
/// a learner's state to a Checkpoint without the fingerprint, and `void read_state(const
/// Checkpoint&, State&)` must read it back.
template <typename State>
class RunCheckpoints final : public CheckpointStore<State> {
 public:
  /// `fingerprint`: a run continues only from a checkpoint with an equal one. `kept`: see
  /// write_checkpoint.
  RunCheckpoints(std::filesystem::path folder, RunFingerprint fingerprint, std::size_t kept)
      : folder_(std::move(folder)), fingerprint_(std::move(fingerprint)), kept_(kept) {}

  /// Errors: as write_checkpoint.
  void write(const State& state, std::span<const StateArray> arrays) override {
    Checkpoint checkpoint = checkpoint_of(state);
    checkpoint.fingerprint = fingerprint_;
    write_checkpoint(folder_, checkpoint, arrays, kept_);
  }

  /// Errors: as read_newest_checkpoint; InputError if the state was written by something else.
  std::optional<State> restore(std::span<const StateArray> arrays) override {
    std::optional<RestoredCheckpoint> point = read_newest_checkpoint(folder_, fingerprint_, arrays);
    if (!point) return std::nullopt;
    damaged_ = std::move(point->damaged);
    State state;
    read_state(point->checkpoint, state);
    return state;
  }

  /// Error message for each damaged checkpoint that `restore` skipped.
  const std::vector<std::string>& damaged() const { return damaged_; }

 private:
  std::filesystem::path folder_;
  RunFingerprint fingerprint_;
  std::size_t kept_;
  std::vector<std::string> damaged_;
};

}  // namespace elmo

// Checkpoints: all that a training run needs to continue as if it had never stopped.
//
// DIR/checkpoints/step-0000001234.h5 is a file as io/train/checkpoint_file.h has it.
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

/// Writes a checkpoint of the run in `folder` and gives its path. It gets its name once it is on
/// the disk, whole. Only then are the others removed except the `kept` - 1 newest of earlier
/// steps; those of later steps, which the run did not resume from, are removed as well. What an
/// interrupted call left behind is removed first. SystemError where writing fails: the others are
/// as they were, and no part of the new one is left. Takes no memory for the arrays. No other
/// thread may be in io/h5.
std::filesystem::path write_checkpoint(const std::filesystem::path& folder,
                                       const Checkpoint& checkpoint,
                                       std::span<const StateArray> arrays, std::size_t kept);

/// The checkpoints of a run's folder, newest first; none where it has none. Unfinished ones are not
/// among them. SystemError where the folder cannot be read.
std::vector<std::filesystem::path> find_checkpoints(const std::filesystem::path& folder);

/// The checkpoint that a run resumes from.
struct RestoredCheckpoint {
  std::filesystem::path path;
  Checkpoint checkpoint;
  std::vector<std::string> damaged;  ///< what is wrong with each newer one, for people
};

/// Reads the newest checkpoint that is sound, as read_checkpoint_file does; nothing where there is
/// none at all. InputError where all are damaged, naming each.
std::optional<RestoredCheckpoint> read_newest_checkpoint(const std::filesystem::path& folder,
                                                         const RunFingerprint& expected,
                                                         std::span<const StateArray> arrays);

/// The checkpoints of a run in its folder. A learner's state becomes a Checkpoint, except the
/// fingerprint, by `Checkpoint checkpoint_of(const State&)`, and is read back by
/// `void read_state(const Checkpoint&, State&)`.
template <typename State>
class RunCheckpoints final : public CheckpointStore<State> {
 public:
  /// `fingerprint`: a run continues from a checkpoint with an equal one only. `kept`: as
  /// write_checkpoint.
  RunCheckpoints(std::filesystem::path folder, RunFingerprint fingerprint, std::size_t kept)
      : folder_(std::move(folder)), fingerprint_(std::move(fingerprint)), kept_(kept) {}

  /// Errors: as write_checkpoint.
  void write(const State& state, std::span<const StateArray> arrays) override {
    Checkpoint checkpoint = checkpoint_of(state);
    checkpoint.fingerprint = fingerprint_;
    write_checkpoint(folder_, checkpoint, arrays, kept_);
  }

  /// Errors: as read_newest_checkpoint; InputError where the state was written by something else.
  std::optional<State> restore(std::span<const StateArray> arrays) override {
    std::optional<RestoredCheckpoint> point = read_newest_checkpoint(folder_, fingerprint_, arrays);
    if (!point) return std::nullopt;
    damaged_ = std::move(point->damaged);
    State state;
    read_state(point->checkpoint, state);
    return state;
  }

  /// What is wrong with each checkpoint that `restore` passed over, for people.
  const std::vector<std::string>& damaged() const { return damaged_; }

 private:
  std::filesystem::path folder_;
  RunFingerprint fingerprint_;
  std::size_t kept_;
  std::vector<std::string> damaged_;
};

}  // namespace elmo

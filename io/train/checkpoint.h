// Checkpoints: everything that a training run needs to continue as if it had never stopped.
//
// DIR/checkpoints/step-0000001234.h5 contains:
//
//   attributes           format ("elmo checkpoint"), version, step, tokens, metadata, checksum
//   /fingerprint/names   strings: the components of the run's provenance
//   /fingerprint/values  strings
//   /positions           uint64 [B, 3]: epoch, sentence and step of each lane of a biLM
//   /arrays              strings: the names of the arrays
//   /state/NAME          float32: each array
//
// `checksum` is XXH3-128 over everything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/train/bilm/bilm_learner.h"
#include "core/train/bilm/lanes.h"
#include "core/train/optimizer.h"
#include "core/train/session.h"
#include "io/h5/reader.h"
#include "io/provenance.h"
#include "io/train/provenance.h"

namespace elmo {

inline constexpr const char* kCheckpointsFolder = "checkpoints";

/// Content of a checkpoint besides the arrays.
struct Checkpoint {
  std::uint64_t step = 0;
  std::uint64_t tokens = 0;             ///< tokens trained on so far
  std::vector<LanePosition> positions;  ///< positions of a biLM's lanes; empty for other learners
  Provenance provenance;  ///< provenance of the run, which continues only from an equal one
  std::string metadata;   ///< the caller's data, in UTF-8 without NUL
};

/// Writes the file. SystemError if it cannot be written. Needs no memory for the arrays.
void write_checkpoint_file(const std::filesystem::path& path, const Checkpoint& checkpoint,
                           std::span<const StateArray> arrays);

/// Opens a file after a separate process (h5::run_apart) has read it and verified its content: HDF5
/// may write past its buffers before it detects a damaged file. InputError, naming array, index and
/// value, if it is not a valid checkpoint, or if a parameter is not finite.
h5::Reader open_checkpoint_file(const std::filesystem::path& path);

/// Everything except the arrays of a file opened by open_checkpoint_file(). InputError if the file
/// is not a checkpoint.
Checkpoint read_checkpoint_head(const h5::Reader& file);

/// Reads a file opened by open_checkpoint_file() and overwrites `arrays`, which are matched by
/// name. InputError if its provenance differs from `expected` (see training_difference()), or if
/// it has other arrays, naming the first difference.
Checkpoint read_checkpoint_file(const h5::Reader& file, const Provenance& expected,
                                std::span<const StateArray> arrays);

/// Writes a checkpoint of the run in `folder` and returns its path. The file gets its name once it
/// is completely on disk. Only then are other checkpoints removed: all of later steps, which the
/// run did not resume from, and of the earlier ones all but the newest `kept` - 1. Leftovers of an
/// interrupted call are removed first. SystemError if writing fails; the other checkpoints are then
/// unchanged, and no part of the new one is left. Needs no memory for the arrays. No other thread
/// may be in io/h5.
std::filesystem::path write_checkpoint(const std::filesystem::path& folder,
                                       const Checkpoint& checkpoint,
                                       std::span<const StateArray> arrays, std::size_t kept);

/// Returns the checkpoints in a run's folder, newest first, without unfinished ones. SystemError if
/// the folder cannot be read.
std::vector<std::filesystem::path> find_checkpoints(const std::filesystem::path& folder);

/// Removes the checkpoints in a run's folder, and their folder if it holds nothing else.
/// SystemError.
void remove_checkpoints(const std::filesystem::path& folder);

/// The checkpoint that a run resumes from.
struct RestoredCheckpoint {
  std::filesystem::path path;
  Checkpoint checkpoint;
  std::vector<std::string> damaged;  ///< error message for each newer, damaged checkpoint
};

/// Reads the newest undamaged checkpoint, see read_checkpoint_file. Returns nothing if there is no
/// checkpoint. InputError if all are damaged, naming each.
std::optional<RestoredCheckpoint> read_newest_checkpoint(const std::filesystem::path& folder,
                                                         const Provenance& expected,
                                                         std::span<const StateArray> arrays);

/// Stores a run's checkpoints in its folder. `Checkpoint checkpoint_of(const State&)` must convert
/// a learner's state to a Checkpoint without the provenance, and `void read_state(const
/// Checkpoint&, State&)` must read it back.
template <typename State>
class RunCheckpoints final : public CheckpointStore<State> {
 public:
  /// `provenance`: a run continues only from a checkpoint with an equal one. `kept`: see
  /// write_checkpoint.
  RunCheckpoints(std::filesystem::path folder, Provenance provenance, std::size_t kept)
      : folder_(std::move(folder)), provenance_(std::move(provenance)), kept_(kept) {}

  /// Errors: as write_checkpoint.
  void write(const State& state, std::span<const StateArray> arrays) override {
    Checkpoint checkpoint = checkpoint_of(state);
    checkpoint.provenance = provenance_;
    write_checkpoint(folder_, checkpoint, arrays, kept_);
  }

  /// Errors: as read_newest_checkpoint; InputError if the state was written by something else.
  std::optional<State> restore(std::span<const StateArray> arrays) override {
    std::optional<RestoredCheckpoint> point = read_newest_checkpoint(folder_, provenance_, arrays);
    if (!point) return std::nullopt;
    notes_ = std::move(point->damaged);
    const std::string shares = shares_difference(point->checkpoint.provenance, provenance_);
    if (!shares.empty()) {
      notes_.push_back("resumed with " + shares +
                       ": the numbers agree with those of an uninterrupted run up to rounding");
    }
    State state;
    read_state(point->checkpoint, state);
    return state;
  }

  /// Notes for the user on the checkpoint that `restore` has read: the error message of each
  /// damaged one that it skipped, and the ranks and threads if they differ.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::filesystem::path folder_;
  Provenance provenance_;
  std::size_t kept_;
  std::vector<std::string> notes_;
};

/// The metadata are the seconds and the means, "12.5 [3,23,…]". The means are stored exactly.
Checkpoint checkpoint_of(const BilmState& state);

/// InputError if the metadata belong to something else.
void read_state(const Checkpoint& checkpoint, BilmState& state);

}  // namespace elmo

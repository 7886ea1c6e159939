// The file of one checkpoint, in HDF5.
//
// It holds
//
//   attributes           format ("elmo checkpoint"), version, step, tokens, metadata, checksum
//   /fingerprint/names   strings: the components of the run's fingerprint
//   /fingerprint/values  strings
//   /positions           uint64 [B, 3]: epoch, sentence and step of each lane
//   /arrays              strings: the names of the arrays
//   /state/NAME          float32: each array
//
// `checksum` is XXH3-128 over everything else.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "core/train/bilm/lane_stream.h"
#include "core/train/optimizer.h"
#include "io/fingerprint.h"

namespace elmo {

/// What a checkpoint holds besides the arrays.
struct Checkpoint {
  TrainerCounters counters;
  RunFingerprint fingerprint;  ///< of the run: it continues with an equal one only
  std::string metadata;        ///< the caller's own, in UTF-8 without NUL
};

/// Makes the file. SystemError where it cannot be written. Takes no memory for the arrays.
void write_checkpoint_file(const std::filesystem::path& path, const Checkpoint& checkpoint,
                           std::span<const StateArray> arrays);

/// Reads the whole file, which is probed first (h5::open_probed). InputError where it is no sound
/// checkpoint, or holds a parameter that is not finite, naming array, index and value.
void verify_checkpoint_file(const std::filesystem::path& path);

/// Reads all but the arrays of a file that was verified. InputError as below.
Checkpoint read_checkpoint_head(const std::filesystem::path& path);

/// Reads a file that was verified, and overwrites `arrays`, which are found by their names.
/// InputError where its fingerprint is not `expected`, except training_difference(), or where its
/// arrays are not those, naming the first.
Checkpoint read_checkpoint_file(const std::filesystem::path& path, const RunFingerprint& expected,
                                std::span<const StateArray> arrays);

}  // namespace elmo

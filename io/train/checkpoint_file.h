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
#include "io/h5/reader.h"

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

/// Opens a file that was read apart (h5::run_apart) and found to be as it was written: HDF5 may
/// write past its buffers before it finds a file damaged. InputError where it is no sound
/// checkpoint, or holds a parameter that is not finite, naming array, index and value.
h5::Reader open_checkpoint_file(const std::filesystem::path& path);

/// All but the arrays of a file that was opened so. InputError as below.
Checkpoint read_checkpoint_head(const h5::Reader& file);

/// Reads a file that was opened so, and overwrites `arrays`, which are found by their names.
/// InputError where its fingerprint is not `expected`, except training_difference(), or where its
/// arrays are not those, naming the first.
Checkpoint read_checkpoint_file(const h5::Reader& file, const RunFingerprint& expected,
                                std::span<const StateArray> arrays);

}  // namespace elmo

// HDF5 file of one checkpoint.
//
// Contents:
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

/// Content of a checkpoint besides the arrays.
struct Checkpoint {
  TrainerCounters counters;
  RunFingerprint fingerprint;  ///< of the run, which continues only from an equal one
  std::string metadata;        ///< for the caller, in UTF-8 without NUL
};

/// Writes the file. SystemError if it cannot be written. Needs no memory for the arrays.
void write_checkpoint_file(const std::filesystem::path& path, const Checkpoint& checkpoint,
                           std::span<const StateArray> arrays);

/// Opens a file after reading it in a separate process (h5::run_apart) and verifying its content:
/// HDF5 may write past its buffers before it detects a damaged file. InputError if it is not a
/// valid checkpoint, or if a parameter is not finite, naming array, index and value.
h5::Reader open_checkpoint_file(const std::filesystem::path& path);

/// Everything except the arrays of a file opened by open_checkpoint_file(). InputError if the file
/// is not a checkpoint.
Checkpoint read_checkpoint_head(const h5::Reader& file);

/// Reads a file opened by open_checkpoint_file() and overwrites `arrays`, which are matched by
/// name. InputError if its fingerprint differs from `expected` (see training_difference()), or if
/// it has other arrays, naming the first difference.
Checkpoint read_checkpoint_file(const h5::Reader& file, const RunFingerprint& expected,
                                std::span<const StateArray> arrays);

}  // namespace elmo

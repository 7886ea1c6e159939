// Trying out a file before trusting the library with it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "io/h5/dataset.h"

namespace elmo::h5 {

/// Runs `reading` in a child process, which has its own memory and dies alone: HDF5 1.10 crashes,
/// loops or writes past its buffers on some damaged files before it knows that they are damaged.
/// Returns where `reading` returned there; then the same may be done here. What it threw as
/// InputError or SystemError is thrown here. InputError, beginning with `name`, where the child
/// crashed or did not end in the time that the slowest reading of a sound file of `bytes` takes. No
/// other thread may be in io/h5.
void try_out(const std::string& name, std::uint64_t bytes, const std::function<void()>& reading);

/// Reads a dataset of floats in a rehearsal, unless it is contiguous float32, which is copied from
/// the file as it lies there. Errors as Dataset::read.
void try_reading(const Dataset& dataset);

}  // namespace elmo::h5

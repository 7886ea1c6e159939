// Runs work in a separate process, for files that the library cannot be trusted with: HDF5 1.10
// crashes, loops or writes past its buffers on some damaged files before it detects the damage.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "io/files/descriptor.h"

namespace elmo::h5 {

/// Time limits of the work.
struct WorkLimits {
  std::chrono::seconds cpu{};   ///< processor time
  std::chrono::seconds wall{};  ///< elapsed time
};

/// Limits for reading a file of that size: several times the slowest read of a sound file.
WorkLimits limits_of_size(std::uint64_t bytes);

/// Runs `work`, which reads the file `name`, in a copy of this process and returns its result.
/// Returns nothing if `work` throws there: the same work in this process meets the same error. The
/// copy has only the calling thread, so `work` must not use OpenMP or wait for other threads. It
/// holds no locks and no open file except `kept`, so it cannot read files that the library has open
/// in this process. It ends when the waiting thread does. InputError naming the file if the copy
/// crashes, is killed or exceeds the limits; SystemError if no copy can be made. Any thread.
std::optional<std::string> run_apart(const std::string& name, const WorkLimits& limits,
                                     const std::function<std::string()>& work,
                                     const Descriptor& kept = {});

}  // namespace elmo::h5

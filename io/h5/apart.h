// Work in a process of its own, for files that the library is not trusted with: HDF5 1.10 crashes,
// loops or writes past its buffers on some damaged files before it finds them damaged.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "io/files/descriptor.h"

namespace elmo::h5 {

/// How long work may take.
struct WorkLimits {
  std::chrono::seconds cpu{};   ///< processor time
  std::chrono::seconds wall{};  ///< elapsed time
};

/// Several times what the slowest reading of a sound file of that size takes.
WorkLimits limits_of_size(std::uint64_t bytes);

/// What `work`, which reads the file `name`, returns in a copy of this process; nothing where it
/// throws there: doing the same work here meets the same error. The copy has this thread alone, so
/// work must not use OpenMP or wait for other threads. It holds no lock and no open file but
/// `kept`, so it cannot read those that are open in the library here, and it ends with the thread
/// that waits for it. InputError naming the file where the copy crashes, is killed or exceeds the
/// limits; SystemError where there can be none. Any thread.
std::optional<std::string> run_apart(const std::string& name, const WorkLimits& limits,
                                     const std::function<std::string()>& work,
                                     const Descriptor& kept = {});

}  // namespace elmo::h5

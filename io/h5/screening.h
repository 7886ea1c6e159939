// Opens untrusted files: a separate process reads them first, because HDF5 1.10 crashes, loops or
// writes past its buffers on some damaged files before it detects the damage.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "io/files/descriptor.h"
#include "io/h5/reader.h"

namespace elmo::h5 {

/// Time limits of the work.
struct WorkLimits {
  std::chrono::seconds cpu{};   ///< processor time
  std::chrono::seconds wall{};  ///< elapsed time
};

/// Limits for reading a file of that size: several times the slowest read of a sound file, on a
/// processor twenty times slower than a fast one.
WorkLimits limits_of_size(std::uint64_t bytes);

/// Runs `work`, which reads the file `name`, in a copy of this process and returns its result.
/// Throws the InputError, SystemError or std::bad_alloc that `work` throws there, with the same
/// words: this process must not read what the copy cannot, because a damaged file may have made the
/// library fail at random. The copy has only the calling thread, so `work` must not use OpenMP or
/// wait for other threads. It holds no locks and no open files except `kept` and those that the
/// library has open. It ends when the waiting thread does. A lower limit of this process's own
/// processor time also limits the copy. InputError naming the file if the copy crashes, is killed,
/// exceeds the limits, or throws anything else; SystemError if no copy can be made. Any thread.
///
/// The process may be somebody else's program that computes with the library. The copy runs nothing
/// of it but the handlers of pthread_atfork(): signals are handled by default there, and it ends
/// with _exit(). The result does not depend on whether the program ignores SIGCHLD, waits for all
/// of its children, or starts other processes meanwhile.
std::string run_apart(const std::string& name, const WorkLimits& limits,
                      const std::function<std::string()>& work, const Descriptor& kept = {});

/// The parts of a file that the separate process reads.
enum class ScreeningScope {
  structure,  ///< attributes, links, and the datasets' shapes and types
  values      ///< also all values, except those that are only copied from the file as stored
};

/// Opens a file, has a separate process read all attributes and all datasets that hard links lead
/// to, and returns a reader of the same open file. Memory is bounded except for the largest chunk,
/// time by limits_of_size. That process skips what it cannot read; the caller meets those errors.
/// Messages call the file `name`, or its path if `name` is empty. Errors as open_descriptor,
/// run_apart and Reader.
Reader open_screened(const std::filesystem::path& path, ScreeningScope scope,
                     VirtualDatasets virtual_datasets = VirtualDatasets::refused,
                     std::string name = "");

}  // namespace elmo::h5

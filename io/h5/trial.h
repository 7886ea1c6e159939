// Trying out a file before trusting the library with it.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "io/h5/dataset.h"

namespace elmo::h5 {

/// How long a trial may take, by the processor's clock and by the one on the wall.
struct TrialLimits {
  std::chrono::seconds cpu{};
  std::chrono::seconds wall{};
};

/// What the slowest reading of a sound file of so many bytes takes, several times over.
TrialLimits trial_limits(std::uint64_t bytes);
/// The same for the file at `path`, should it be there.
TrialLimits trial_limits(const std::filesystem::path& path);

/// A reading that may go wrong, told so that another process can do it.
struct Trial {
  std::string reading;  ///< its name among the TrialReadings
  std::vector<std::string>
      arguments;     ///< of the reading: the file's path and what reading it needs
  std::string name;  ///< what messages call the file
  TrialLimits limits;
};

/// Reads a file; what it returns is handed over to the process that asked.
using TrialReading = std::function<std::string(std::span<const std::string> arguments)>;
using TrialReadings = std::map<std::string, TrialReading, std::less<>>;

/// Stands at the head of main(), before any thread is started: where the process was started by
/// try_out it does what it was started for and does not return. Where it was not, try_out can be
/// called from now on.
void serve_trials(int argc, const char* const* argv, const TrialReadings& readings);

/// Has a process of its own do a reading, and returns what that returned. The process is a copy of
/// this one where this has no second thread, or else executes the same program anew. HDF5 1.10
/// crashes, loops or writes past its buffers on some damaged files before it knows that they are
/// damaged. What was read there without trouble may be read here. What the reading threw as
/// InputError, SystemError or std::bad_alloc is thrown here; InputError, which
/// tells these apart, where the process crashed, was killed or did not end in time; SystemError
/// where none can be started. Any thread.
std::string try_out(const Trial& trial);

/// Within a reading: reads a dataset of floats, unless it is contiguous float32, float16 or
/// bfloat16, which are copied from the file as they lie there. Errors as Dataset::read.
void try_reading(const Dataset& dataset);

}  // namespace elmo::h5

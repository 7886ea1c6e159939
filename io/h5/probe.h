// Reading a file in a process of its own before the library is trusted with it: HDF5 1.10 crashes,
// loops or writes past its buffers on some damaged files before it finds them damaged.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

#include "io/files/descriptor.h"
#include "io/h5/reader.h"
#include "io/h5/walk.h"

namespace elmo::h5 {

/// How long a probe may take.
struct ProbeLimits {
  std::chrono::seconds cpu{};   ///< processor time
  std::chrono::seconds wall{};  ///< elapsed time
};

/// Several times what the slowest reading of a sound file of that size takes.
ProbeLimits probe_limits(std::uint64_t bytes);

/// Belongs at the head of main(), before any thread is started: makes the settings that HDF5 takes
/// from the environment. A process that probe() started does its work here and does not return.
void prepare_process(int argc, const char* const* argv);

/// Has a new process read the open file as readers do. What it survives can be read here, where
/// errors of the file that HDF5 finds by itself are met again. The process executes this program
/// again, so it inherits no lock, no thread and no state of the library; it ends with the thread
/// that waits for it. InputError naming the file where the process crashes, is killed or exceeds
/// the limits; SystemError where none can be started; std::logic_error where main() has not called
/// prepare_process. Any thread.
void probe(const Descriptor& file, const std::string& name, ProbeScope scope,
           const ProbeLimits& limits);

/// Whether a file is probed before it is read: those that this process has just written are not.
enum class Probing { none, first };

/// Opens a file, probes it with the limits of its size, and returns a reader of that same open
/// file. `name` is what messages call it; empty: its path. Errors as open_descriptor, probe and
/// Reader.
Reader open_probed(const std::filesystem::path& path, ProbeScope scope,
                   VirtualDatasets virtual_datasets = VirtualDatasets::refused,
                   std::string name = "");

}  // namespace elmo::h5

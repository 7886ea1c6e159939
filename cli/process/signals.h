// Signals: a run that is asked to end publishes what is whole and then ends.
#pragma once

#include <atomic>

namespace elmo {

/// From now on a write to a pipe whose reader has gone fails with EPIPE and a write beyond the
/// limit of a file's size with EFBIG. By default each kills the process.
void survive_failed_writes();

/// From now on a file that is cut while it is mapped into memory, which raises SIGBUS, ends the
/// process with a message and exit code 1.
void explain_cut_files();

/// From now on SIGINT, SIGTERM and SIGHUP (the terminal was closed) set the returned flag. One that
/// the process was started to ignore stays ignored: SIGHUP under nohup, SIGINT of background jobs
/// of a script. A second SIGINT ends the process at once. Any other signal that comes again
/// changes nothing: batch systems and wrappers send SIGTERM two or three times. Any thread may
/// read the flag.
const std::atomic<bool>& stop_on_signals();

/// For what has nothing to publish: signals end the process as they do by default.
inline constexpr std::atomic<bool> kNeverStop{false};

}  // namespace elmo

// Signals. A run that is asked to stop publishes what is complete and then ends.
#pragma once

#include <atomic>

namespace elmo {

/// Ignores SIGPIPE and SIGXFSZ, which would kill the process. A write to a pipe without a reader
/// then fails with EPIPE, and a write beyond the file size limit with EFBIG.
void survive_failed_writes();

/// Handles SIGBUS, which is raised if a file is truncated while it is mapped into memory: the
/// process prints a message and ends with exit code 1.
void explain_cut_files();

/// Returns a flag that SIGINT, SIGTERM and SIGHUP (the terminal was closed) set from now on. A
/// signal that was ignored when the process started stays ignored: SIGHUP under nohup, SIGINT in a
/// script's background jobs. A second SIGINT ends the process at once. Other repeated signals have
/// no effect, because batch systems and wrappers send SIGTERM two or three times. Any thread may
/// read the flag.
const std::atomic<bool>& stop_on_signals();

/// A flag for work that has nothing to publish. Signals then end the process, as by default.
inline constexpr std::atomic<bool> kNeverStop{false};

}  // namespace elmo

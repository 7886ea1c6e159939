// The process of a command: exit codes, signals and standard streams.
#pragma once

#include <unistd.h>

#include <atomic>
#include <functional>
#include <string>
#include <string_view>

#include "core/error.h"
#include "io/files/descriptor.h"

namespace elmo {

enum ExitCode : int {
  kDone = 0,        ///< everything was done
  kFailure = 1,     ///< a system error (disk full, no permission, out of memory), a loss that is
                    ///< not finite, or a bug
  kUsage = 2,       ///< options that are unknown, incomplete or cannot be combined
  kBadInput = 3,    ///< a text, a record, a model or a shard is invalid
  kStopped = 4,     ///< stopped by a signal or a limit; --resume continues
  kInterrupted = 5  ///< stopped by a signal, with nothing to resume
};

/// Prepares standard streams, signals, failed writes, truncated files and HDF5. Call it first in
/// main.
///
/// Each of descriptors 0 to 2 that is closed is opened, so that no file opened later gets such a
/// number and receives messages; reading from or writing to it still fails. std::cerr waits if
/// standard error is non-blocking and full, so that nothing is lost. A write to a pipe without a
/// reader fails with EPIPE, and a write beyond the file size limit with EFBIG; their signals would
/// kill the process. The signals of stop_on_signals() end the process as by default, also if it is
/// process 1 of a container, which then ends with 128 plus the signal's number. The process prints
/// a message and ends with exit code 1 if a file is truncated while it is mapped into memory, and
/// at once if the limit on the stack is below 256 KiB.
void prepare_process();

/// Returns a flag that SIGINT, SIGTERM, SIGHUP (the terminal was closed), SIGUSR1, SIGUSR2 and
/// SIGXCPU (a batch system is about to kill the job) set from now on. A signal that was ignored
/// when the process started stays ignored: SIGHUP under nohup, SIGINT in a script's background
/// jobs. A second SIGINT ends the process at once. Other repeated signals have no effect, because
/// batch systems and wrappers send SIGTERM two or three times. Any thread may read the flag.
const std::atomic<bool>& stop_on_signals();

/// How this process reports errors and ends if a launcher started it as one of a group.
struct ProcessGroup {
  /// Returns an error's message as this process prints it; empty if another one prints it.
  std::function<std::string(const std::string& message)> error_text;
  /// Ends the other processes of the group with the command's exit code, unless this process has
  /// left them.
  std::function<void(int exit_code)> end;
};

/// The group of this process. Its functions are empty until a command sets them: the process is
/// then alone.
inline ProcessGroup& process_group() {
  static ProcessGroup group;
  return group;
}

/// Standard output as a stream.
inline Stream& standard_output() {
  static Stream stream(STDOUT_FILENO, "standard output");
  return stream;
}

/// Prints "elmo: MESSAGE" and a line feed on standard error, as printable_text().
void print_message(std::string_view message);

/// Throws RequestError if standard output is a terminal. For output that is not readable on a
/// screen.
inline void refuse_terminal() {
  if (isatty(STDOUT_FILENO) != 1) return;
  throw RequestError("standard output is a terminal; give -o PATH, or send it to a file or a pipe");
}

}  // namespace elmo

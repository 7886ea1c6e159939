// The exit codes of commands.
#pragma once

namespace elmo {

enum ExitCode : int {
  kDone = 0,        ///< everything was done
  kFailure = 1,     ///< a system error (disk full, no permission, out of memory), a loss that is
                    ///< not finite, or a bug
  kUsage = 2,       ///< options that are unknown, incomplete or cannot be combined
  kBadInput = 3,    ///< a text, a record, a model or a shard is invalid
  kStopped = 4,     ///< stopped by a signal or a limit; --resume continues
  kInterrupted = 5  ///< stopped by a signal; cannot be resumed, only started again
};

}  // namespace elmo

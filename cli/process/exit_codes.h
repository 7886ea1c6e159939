// The exit codes of commands.
#pragma once

namespace elmo {

enum ExitCode : int {
  kDone = 0,        ///< everything was done
  kFailure = 1,     ///< the system refused: disk full, no permission, out of memory; a loss that is
                    ///< not finite; a defect
  kUsage = 2,       ///< options that are unknown, incomplete or make no sense together
  kBadInput = 3,    ///< text, a record, a model or a shard is not what it has to be
  kStopped = 4,     ///< stopped by a signal or a limit; --resume resumes from there
  kInterrupted = 5  ///< stopped by a signal; it starts again, for nothing can be resumed
};

}  // namespace elmo

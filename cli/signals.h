// Signals: a run that is asked to end publishes what is whole and then ends.
#pragma once

#include <atomic>

namespace elmo {

/// Writing to a pipe whose reader has gone fails with EPIPE from now on, instead of killing us.
void ignore_broken_pipes();

/// From now on the first SIGINT or SIGTERM sets the returned flag and the second ends the process
/// at once. The flag may be read by any thread.
const std::atomic<bool>& stop_on_signals();

}  // namespace elmo

// A session with progress reports.
#pragma once

#include <atomic>

#include "cli/run/listener.h"
#include "core/train/session.h"

namespace elmo {

/// Runs the session, and ends the listener's progress even if it throws.
template <typename L>
SessionEnd run_session(Session<L>& session, RunListener& listener, const std::atomic<bool>& stop) {
  const ProgressScope scope(listener);
  return session.run(stop);
}

}  // namespace elmo

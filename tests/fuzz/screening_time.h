// The time in which the HDF5 library must read a fuzzer's file.
#pragma once

#include <sys/resource.h>

#include <csignal>

namespace elmo {

/// Lowers the processor time for the screening of a file from a minute to a few seconds: a damaged
/// file can make the library loop, and a fuzzer keeps such inputs. Screening takes its limit from
/// this process's own (ulimit -t), which the process itself ignores; the kernel raises the limit of
/// a process that goes on, so call this before each input.
inline void shorten_screening() {
  constexpr rlim_t kSeconds = 2;
  std::signal(SIGXCPU, SIG_IGN);
  rlimit limit{};
  ::getrlimit(RLIMIT_CPU, &limit);
  limit.rlim_cur = kSeconds;
  ::setrlimit(RLIMIT_CPU, &limit);
}

}  // namespace elmo

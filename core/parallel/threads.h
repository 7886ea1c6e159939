// Threads that are started, and those that one thread computes with.
#pragma once

#include <functional>
#include <future>
#include <system_error>
#include <thread>
#include <utility>

#include "core/error.h"

namespace elmo {

/// What is thrown where the system does not give a thread.
SystemError no_thread(const std::system_error& error);

/// Starts a thread. SystemError, naming the reason, where the system does not give one. Any thread.
std::thread start_thread(std::function<void()> work);

/// Runs `work` on a thread of its own; the last future of its result waits for it at the end of its
/// scope. SystemError, naming the reason, where the system does not give a thread. Any thread.
template <typename Work>
auto run_beside(Work work) {
  try {
    return std::async(std::launch::async, std::move(work));
  } catch (const std::system_error& error) {
    throw no_thread(error);
  }
}

/// How a thread is started, for tests of what happens where that fails.
using ThreadStarter = std::function<std::thread(std::function<void()>)>;

/// Makes oneDNN compute with this many threads, including this one, when it is called from this
/// thread, and starts them: OpenMP, which ends the process where it cannot start a thread, has no
/// more to start later. SystemError where they cannot be had. Any thread.
void set_threads_of_this_thread(int threads);

/// The same; `start` tries whether the threads can be had.
void set_threads_of_this_thread(int threads, const ThreadStarter& start);

}  // namespace elmo

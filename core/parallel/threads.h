// Starting threads, and setting how many threads oneDNN uses.
#pragma once

#include <functional>
#include <future>
#include <system_error>
#include <thread>
#include <utility>

#include "core/error.h"

namespace elmo {

/// The error to throw if the system cannot start a thread.
SystemError no_thread(const std::system_error& error);

/// Starts a thread. SystemError with the reason if the system cannot start it. Any thread.
std::thread start_thread(std::function<void()> work);

/// Runs `work` on a new thread and returns a future of its result. The destructor of the last
/// future of the result waits for the thread to end. SystemError with the reason if the system
/// cannot start the thread. Any thread.
template <typename Work>
auto run_beside(Work work) {
  try {
    return std::async(std::launch::async, std::move(work));
  } catch (const std::system_error& error) {
    throw no_thread(error);
  }
}

/// Starts a thread; tests replace it to simulate a failure.
using ThreadStarter = std::function<std::thread(std::function<void()>)>;

/// Makes oneDNN use this many threads, including the calling thread, when it is called from this
/// thread. Starts them now, because OpenMP ends the process if it cannot start a thread later.
/// SystemError if they cannot be started. Any thread.
void set_threads_of_this_thread(int threads);

/// As above; `start` checks that the threads can be started.
void set_threads_of_this_thread(int threads, const ThreadStarter& start);

}  // namespace elmo

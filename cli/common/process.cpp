#include "cli/common/process.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <iostream>
#include <streambuf>
#include <system_error>
#include <vector>

#include "io/files/descriptor.h"
#include "io/files/mapped_file.h"
#include "io/files/paths.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

constinit std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");

extern "C" void request_stop(int signal) {
  stop_requested.store(true);
  if (signal == SIGINT) std::signal(SIGINT, SIG_DFL);
}

void say(const char* text) {
  static_cast<void>(::write(STDERR_FILENO, text, std::strlen(text)) < 0);
}

/// Calls only async-signal-safe functions.
extern "C" void explain_bus_error(int signal, siginfo_t* info, void*) {
  const char* const path = mapped_path_at(info->si_addr);
  if (path == nullptr) {
    std::signal(signal, SIG_DFL);  // the instruction is then retried and kills the process
    return;
  }
  say("elmo: ");
  say(path);
  say(" became shorter while it was read; expected a file that nothing else changes\n");
  ::_exit(kFailure);
}

bool is_ignored(int signal) {
  struct sigaction action = {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// Standard error that loses nothing if it is non-blocking and temporarily full.
class ErrorOutput final : public std::streambuf {
 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    return write_all(STDERR_FILENO, {text, static_cast<std::size_t>(size)}) ? size : 0;
  }
  int_type overflow(int_type character) override {
    if (traits_type::eq_int_type(character, traits_type::eof())) return 0;
    const char text = traits_type::to_char_type(character);
    return xsputn(&text, 1) == 1 ? character : traits_type::eof();
  }
};

}  // namespace

void prepare_process() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // open() returns the lowest free descriptor, which is this one.
    (void)open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }

  // Never destroyed: the standard library flushes std::cerr after the destructors of statics.
  static auto* const output = new ErrorOutput;
  std::cerr.rdbuf(output);

  // Otherwise malloc() reserves 64 MiB of address space for each thread.
  rlimit memory{};
  if (getrlimit(RLIMIT_AS, &memory) == 0 && memory.rlim_cur != RLIM_INFINITY) {
    mallopt(M_ARENA_MAX, 1);
  }

  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);

  struct sigaction action = {};
  action.sa_sigaction = explain_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, nullptr);
}

void print_message(std::string_view message) {
  std::cerr << "elmo: " << printable_text(message) << '\n';
}

const std::atomic<bool>& stop_on_signals() {
  struct sigaction action = {};
  action.sa_handler = request_stop;
  sigemptyset(&action.sa_mask);
  // No SA_RESTART: a read that waits for input is interrupted, so that the flag is checked.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (!is_ignored(signal)) sigaction(signal, &action, nullptr);
  }
  return stop_requested;
}

}  // namespace elmo

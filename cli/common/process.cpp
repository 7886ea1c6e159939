#include "cli/common/process.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
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

/// The signals by which terminals, service managers and batch systems end a program.
constexpr std::array kEndingSignals{SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU};

bool is_ignored(int signal) {
  struct sigaction action = {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// Handles the signal unless it is ignored. Without SA_RESTART, so that a read that waits for input
/// is interrupted.
void handle(int signal, void (*handler)(int)) {
  if (is_ignored(signal)) return;
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

/// Ends the process by the signal's default action. The kernel ignores that action for process 1,
/// the program of a container without an init. Such a process ends with the exit code that shells
/// use for the signal.
extern "C" void end_at_once(int signal) {
  constexpr int kShellsSignalCode = 128;
  std::signal(signal, SIG_DFL);
  ::raise(signal);  // waits, as the signal is blocked until its handler returns
  sigset_t raised;
  sigemptyset(&raised);
  sigaddset(&raised, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &raised, nullptr);
  ::_exit(kShellsSignalCode + signal);
}

extern "C" void request_stop(int signal) {
  stop_requested.store(true);
  if (signal == SIGINT) handle(SIGINT, end_at_once);
}

void say(std::string_view text) {
  static_cast<void>(::write(STDERR_FILENO, text.data(), text.size()) < 0);
}

/// Prints a name with `\xHH` for every byte but printable ASCII. printable_text(), which keeps
/// other characters, allocates memory, and a signal handler must not.
void say_name(std::string_view name) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (const char& byte : name) {
    if (byte >= ' ' && byte <= '~') {
      say({&byte, 1});
      continue;
    }
    const auto bits = static_cast<unsigned char>(byte);
    const std::array escaped{'\\', 'x', kDigits[bits >> 4], kDigits[bits & 15]};
    say({escaped.data(), escaped.size()});
  }
}

/// Calls only async-signal-safe functions.
extern "C" void explain_bus_error(int signal, siginfo_t* info, void*) {
  const char* const path = mapped_path_at(info->si_addr);
  if (path == nullptr) {
    std::signal(signal, SIG_DFL);  // the instruction is then retried and kills the process
    return;
  }
  say("elmo: ");
  say_name(path);
  say(" became shorter while it was read; expected a file that nothing else changes\n");
  ::_exit(kFailure);
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

/// Ends the process with a message if the limit on its stack is too low: threads have stacks of
/// that size, and the libraries that they call use 64 to 128 KiB.
void require_stack() {
  constexpr rlim_t kMinStack = rlim_t{256} << 10U;
  rlimit stack{};
  if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= kMinStack) return;
  print_message("the limit on the stack is " + std::to_string(stack.rlim_cur >> 10U) +
                " KiB; expected at least 256 KiB; raise it with `ulimit -s 8192`");
  ::_exit(kFailure);
}

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

  require_stack();

  // Otherwise malloc() reserves 64 MiB of address space for each thread.
  rlimit memory{};
  if (getrlimit(RLIMIT_AS, &memory) == 0 && memory.rlim_cur != RLIM_INFINITY) {
    mallopt(M_ARENA_MAX, 1);
  }

  // Overrides what io/h5 sets for each file.
  ::setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);

  for (const int signal : kEndingSignals) handle(signal, end_at_once);
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
  for (const int signal : kEndingSignals) handle(signal, request_stop);
  return stop_requested;
}

}  // namespace elmo

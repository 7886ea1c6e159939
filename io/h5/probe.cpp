#include "io/h5/probe.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "core/error.h"
#include "io/h5/walk.h"

namespace elmo::h5 {
namespace {

/// The exit code of a process that could not begin. Sanitizers end one that crashes with others.
constexpr int kNotStarted = 125;

/// argv[0] of the process, which has no other arguments. Its standard input is the file, its
/// standard output a socket over which it gets a Task and answers kDone.
constexpr std::string_view kProbeName = "elmo: probe of an HDF5 file";
constexpr char kDone = 'd';

struct Task {
  ProbeScope scope;
  ProbeLimits limits;
};

bool prepared = false;  ///< set before any thread is started

/// The life of the process.
[[noreturn]] void perform(const Task& task) {
  ::close_range(STDERR_FILENO + 1, ~0U, 0);
  const auto cpu = static_cast<rlim_t>(task.limits.cpu.count());
  const rlimit limit{cpu, cpu + 1};  // SIGXCPU tells the reason
  ::setrlimit(RLIMIT_CPU, &limit);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::alarm(static_cast<unsigned>(task.limits.wall.count()));
  try {
    read_as_readers_do(Reader(Descriptor(STDIN_FILENO), "file"), task.scope);
  } catch (const std::exception&) {  // met again where the file is opened
  }
  static_cast<void>(write_all(STDOUT_FILENO, {&kDone, 1}));
  ::_exit(0);
}

[[noreturn]] void refuse_start(int error) {
  throw SystemError("cannot start a process that probes files: " +
                    std::generic_category().message(error));
}

pid_t start(const Descriptor& file, const Descriptor& answers) {
  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, file.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, answers.get(), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  // Signals to the whole job are for this process to answer.
  sigset_t blocked;
  sigemptyset(&blocked);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&blocked, signal);
  sigset_t defaults;
  sigfillset(&defaults);
  posix_spawnattr_t attributes{};
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &blocked);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::string name(kProbeName);
  const std::array<char*, 2> arguments{name.data(), nullptr};
  pid_t child = -1;
  const int error =
      ::posix_spawn(&child, "/proc/self/exe", &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) refuse_start(error);
  return child;
}

/// For a process that ended with this status before it was done.
[[noreturn]] void refuse_file(const std::string& name, const ProbeLimits& limits, int status) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGXCPU) {
    throw InputError(name + ": could not be read within " + std::to_string(limits.cpu.count()) +
                     " seconds of a processor's time; expected a sound HDF5 file");
  }
  if (signal == SIGALRM) {
    throw InputError(name + ": could not be read within " + std::to_string(limits.wall.count()) +
                     " seconds; expected a sound HDF5 file, or a faster disk");
  }
  // Nothing that the library does to itself: the system does it where memory is short.
  if (signal == SIGKILL) {
    throw InputError(name +
                     ": the process that read it was killed, as systems do that run out of "
                     "memory; expected a sound HDF5 file, or more memory");
  }
  throw InputError(name +
                   ": is damaged so that the HDF5 library fails on it; expected a sound HDF5 file");
}

}  // namespace

ProbeLimits probe_limits(std::uint64_t bytes) {
  constexpr std::uint64_t kBytesPerSecond = std::uint64_t{8} << 20;  // a tenth of gzip's speed
  const auto cpu = static_cast<std::int64_t>(3 + bytes / kBytesPerSecond);
  return {std::chrono::seconds(cpu), std::chrono::seconds(60 + 10 * cpu)};  // a slow, shared disk
}

void prepare_process(int argc, const char* const* argv) {
  // HDF5's own locks would refuse files that AtomicFile has locked, and all files of file systems
  // without locks. The environment overrides what is set for single files.
  ::setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
  prepared = true;
  if (argc != 1 || argv[0] != kProbeName) return;
  // Only a socket that the parent made proves that probe() started this process. A parent that has
  // ended since is no longer the maker.
  ucred maker{};
  socklen_t size = sizeof maker;
  if (::getsockopt(STDOUT_FILENO, SOL_SOCKET, SO_PEERCRED, &maker, &size) != 0) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  Task task{};
  const bool asked = maker.pid == ::getppid() &&
                     ::recv(STDOUT_FILENO, &task, sizeof task, MSG_DONTWAIT) == sizeof task;
  if (!asked) ::_exit(kNotStarted);
  perform(task);
}

void probe(const Descriptor& file, const std::string& name, ProbeScope scope,
           const ProbeLimits& limits) {
  if (!prepared) throw std::logic_error("main() does not call prepare_process");
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) refuse_start(errno);
  const Descriptor here(ends[0]);
  Descriptor there(ends[1]);
  const Task task{scope, limits};
  if (::send(here.get(), &task, sizeof task, MSG_NOSIGNAL) != sizeof task) refuse_start(errno);
  const pid_t child = start(file, there);
  there.reset();
  char answer = 0;
  ssize_t count = 0;
  do {
    count = ::read(here.get(), &answer, 1);
  } while (count < 0 && errno == EINTR);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (count == 1 && answer == kDone) return;
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotStarted) {
    throw SystemError("the process that probes files did not start");
  }
  refuse_file(name, limits, status);
}

Reader open_probed(const std::filesystem::path& path, ProbeScope scope,
                   VirtualDatasets virtual_datasets, std::string name) {
  if (name.empty()) name = path.string();
  const Descriptor file = open_hdf5(path);
  probe(file, name, scope, probe_limits(readable_size(file, name)));
  return Reader(file, std::move(name), virtual_datasets);
}

}  // namespace elmo::h5

#include "io/h5/trial.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdio_ext.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iterator>
#include <new>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "core/error.h"
#include "io/files/descriptor.h"

namespace elmo::h5 {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kExecutable = "/proc/self/exe";

/// The process's arguments: program, this, reading, seconds of processor, seconds, the reading's.
constexpr std::string_view kEntry = "h5-trial/1";
constexpr int kOwnArguments = 5;

/// The process writes the first when it begins, one of the others when it is done, and then what
/// was returned or thrown.
enum Outcome : char {
  kBegun = 'b',
  kDone = 'd',
  kInputError = 'i',
  kSystemError = 's',
  kNoMemory = 'm'
};

/// Set once main() serves trials.
std::optional<TrialReadings> known_readings;

void limit(decltype(RLIMIT_CPU) resource, rlim_t most, rlim_t grace = 0) {
  const rlimit value{most, most + grace};
  ::setrlimit(resource, &value);
}

std::string outcome_of(const TrialReading& reading, std::span<const std::string> arguments) {
  try {
    return char{kDone} + reading(arguments);
  } catch (const InputError& error) {
    return std::string(1, kInputError) + error.what();
  } catch (const std::bad_alloc&) {
    return std::string(1, kNoMemory);
  } catch (const std::exception& error) {
    return std::string(1, kSystemError) + error.what();
  }
}

/// The life of the process that try_out starts.
[[noreturn]] void perform(const TrialReading& reading, std::span<const std::string> arguments,
                          const TrialLimits& limits) {
  // SIGXCPU at the limit, which tells what it was; SIGKILL where that is ignored.
  std::signal(SIGXCPU, SIG_DFL);
  limit(RLIMIT_CPU, static_cast<rlim_t>(limits.cpu.count()), 1);
  limit(RLIMIT_CORE, 0);
  constexpr auto kGrace = std::chrono::seconds(5);  // to a parent, which knows what to say of it
  ::alarm(static_cast<unsigned>((limits.wall + kGrace).count()));
  static_cast<void>(write_all(STDOUT_FILENO, std::string(1, kBegun)));
  static_cast<void>(write_all(STDOUT_FILENO, outcome_of(reading, arguments)));
  ::_exit(0);
}

[[noreturn]] void refuse_start(int error) {
  throw SystemError("cannot start a process that tries files out: " +
                    std::generic_category().message(error));
}

/// What is sent to all processes of a job at once is for the parent to answer.
sigset_t signals_of_the_job() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&signals, signal);
  return signals;
}

/// Starts the process as one that executes the program anew: it reports on its standard output, and
/// what dying programs print is of no use.
class Start {
 public:
  explicit Start(const Descriptor& report) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, report.get(), STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const sigset_t blocked = signals_of_the_job();
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setsigmask(&attributes_, &blocked);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK);
  }
  ~Start() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;

  pid_t run(const Trial& trial) const {
    std::vector<std::string> arguments{"elmo", std::string(kEntry), trial.reading,
                                       std::to_string(trial.limits.cpu.count()),
                                       std::to_string(trial.limits.wall.count())};
    arguments.insert(arguments.end(), trial.arguments.begin(), trial.arguments.end());
    std::vector<char*> pointers;
    pointers.reserve(arguments.size() + 1);
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    pid_t child = -1;
    const int error =
        ::posix_spawn(&child, kExecutable, &actions_, &attributes_, pointers.data(), environ);
    if (error != 0) refuse_start(error);
    return child;
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

/// Makes the caller, a copy of its parent, what an executed program would be: in place of the
/// parent's streams and answers to signals it has those of Start.
void become_fresh(const Descriptor& report) {
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action = {};
    const bool caught = ::sigaction(signal, nullptr, &action) == 0 &&
                        action.sa_handler != SIG_IGN && action.sa_handler != SIG_DFL;
    if (caught) std::signal(signal, SIG_DFL);
  }
  const sigset_t blocked = signals_of_the_job();
  ::sigprocmask(SIG_SETMASK, &blocked, nullptr);
  const Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  ::dup2(nothing.get(), STDIN_FILENO);
  ::dup2(nothing.get(), STDERR_FILENO);
  ::dup2(report.get(), STDOUT_FILENO);
  // What the parent has not written yet: the thread sanitizer would, when the copy ends.
  ::__fpurge(stdout);
}

/// True where the calling thread is the only one, so that nothing can be locked that a copy of the
/// process will need.
bool is_only_thread() {
  std::error_code error;
  const std::filesystem::directory_iterator threads("/proc/self/task", error);
  return !error && std::distance(begin(threads), end(threads)) == 1;
}

/// Starts the process: as a copy where that is safe, which spares it the ten milliseconds that the
/// loading of all libraries takes.
pid_t start(const Trial& trial, const Descriptor& report) {
  if (!is_only_thread()) return Start(report).run(trial);
  const TrialReading& reading = known_readings->at(trial.reading);
  const pid_t child = ::fork();
  if (child < 0) return Start(report).run(trial);  // there may be no memory for a copy
  if (child > 0) return child;
  become_fresh(report);
  perform(reading, trial.arguments, trial.limits);
}

/// What is written until the other end is closed; nothing where that takes until `end`.
std::optional<std::string> read_until(const Descriptor& descriptor, Clock::time_point end) {
  std::string text;
  std::array<char, 4096> block{};
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) return std::nullopt;
    pollfd ready{descriptor.get(), POLLIN, 0};
    constexpr std::int64_t kLongestPoll = 1 << 30;
    if (::poll(&ready, 1, static_cast<int>(std::min<std::int64_t>(left, kLongestPoll))) <= 0) {
      continue;
    }
    const ssize_t count = ::read(descriptor.get(), block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(block.data(), static_cast<std::size_t>(count));
  }
}

/// For a process that ended with this status before it was done.
[[noreturn]] void refuse_file(const Trial& trial, int status) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGXCPU) {
    throw InputError(trial.name + ": could not be read within " +
                     std::to_string(trial.limits.cpu.count()) +
                     " seconds of a processor's time; expected a sound HDF5 file");
  }
  // Nothing that the library does to itself: the system does it where memory is short.
  if (signal == SIGKILL) {
    throw InputError(trial.name +
                     ": the process that read it was killed, as systems do that run out of "
                     "memory; expected a sound HDF5 file, or more memory");
  }
  throw InputError(trial.name +
                   ": is damaged so that the HDF5 library fails on it; expected a sound "
                   "HDF5 file");
}

}  // namespace

TrialLimits trial_limits(std::uint64_t bytes) {
  constexpr std::uint64_t kBytesPerSecond = std::uint64_t{8} << 20;  // a tenth of gzip's speed
  const auto cpu = static_cast<std::int64_t>(3 + bytes / kBytesPerSecond);
  return {std::chrono::seconds(cpu), std::chrono::seconds(60 + 10 * cpu)};  // a slow, shared disk
}

TrialLimits trial_limits(const std::filesystem::path& path) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  return trial_limits(error ? 0 : bytes);
}

void serve_trials(int argc, const char* const* argv, const TrialReadings& readings) {
  const std::span arguments(argv, static_cast<std::size_t>(argc));
  if (argc >= kOwnArguments && arguments[1] == kEntry) {
    const std::vector<std::string> own(arguments.begin() + kOwnArguments, arguments.end());
    const auto seconds = [](const char* text) {
      return std::chrono::seconds(std::strtol(text, nullptr, 10));
    };
    perform(readings.at(arguments[2]), own, {seconds(arguments[3]), seconds(arguments[4])});
  }
  known_readings = readings;
}

std::string try_out(const Trial& trial) {
  if (!known_readings) throw std::logic_error("main() does not call serve_trials");
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) refuse_start(errno);
  const Descriptor reading(ends[0]);
  Descriptor writing(ends[1]);
  const Clock::time_point end = Clock::now() + trial.limits.wall;
  const pid_t child = start(trial, writing);
  writing.reset();
  const std::optional<std::string> outcome = read_until(reading, end);
  if (!outcome) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!outcome) {
    throw InputError(trial.name + ": could not be read within " +
                     std::to_string(trial.limits.wall.count()) +
                     " seconds; expected a sound HDF5 file, or a faster disk");
  }
  if (outcome->empty()) throw SystemError("the process that tries files out did not start");
  const std::string_view report = std::string_view(*outcome).substr(1);
  if (report.empty()) refuse_file(trial, status);
  std::string text(report.substr(1));
  switch (report.front()) {
    case kInputError:
      throw InputError(text);
    case kSystemError:
      throw SystemError(text);
    case kNoMemory:
      throw std::bad_alloc();
    default:
      return text;
  }
}

void try_reading(const Dataset& dataset) {
  const DatasetInfo& info = dataset.info();
  const bool copied = info.element == Element::float32 || info.element == Element::float16 ||
                      info.element == Element::bfloat16;
  if (info.layout == "contiguous" && copied) return;
  std::vector<float> values(info.count());
  dataset.read(values);
}

}  // namespace elmo::h5

#include "io/h5/probe.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <exception>
#include <limits>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/h5/dataset.h"
#include "io/h5/library.h"

namespace elmo::h5 {
namespace {

/// The exit code if the work throws. Sanitizers end crashing processes with other codes.
constexpr int kThrew = 125;

/// Closes the descriptors from `first` to `last`. Before Linux 5.9 each takes a system call.
void close_from_to(int first, int last) {
  constexpr int kMaxOpenFiles = 1 << 16;  // more than this program opens
  if (first > last) return;
  if (::close_range(static_cast<unsigned>(first), static_cast<unsigned>(last), 0) == 0) return;
  for (int number = first; number <= std::min(last, kMaxOpenFiles); ++number) ::close(number);
}

/// Closes all descriptors above standard error except two; -1 means no descriptor.
void close_all_but(int one, int other) {
  int first = STDERR_FILENO + 1;
  for (const int kept : {std::min(one, other), std::max(one, other)}) {
    if (kept < first) continue;
    close_from_to(first, kept - 1);
    first = kept + 1;
  }
  close_from_to(first, std::numeric_limits<int>::max());
}

/// Runs the work in the copy, which writes to `answer`. Standard output is not used for this: the
/// thread sanitizer flushes it at the end, with everything the original had not written yet.
[[noreturn]] void perform(const WorkLimits& limits, const std::function<std::string()>& work,
                          int answer, int kept, pid_t parent) noexcept {
  answer = ::fcntl(answer, F_DUPFD, STDERR_FILENO + 1);
  const int null = ::open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(null, stream);
  close_all_but(answer, kept);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kThrew);
  ::prctl(PR_SET_NAME, "elmo-probe");
  // The parent handles signals that are sent to the whole job.
  sigset_t blocked;
  sigemptyset(&blocked);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2}) {
    sigaddset(&blocked, signal);
  }
  ::sigprocmask(SIG_BLOCK, &blocked, nullptr);
  ::signal(SIGXCPU, SIG_DFL);  // the limit on this copy's time, set below
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::alarm(static_cast<unsigned>(limits.wall.count()));
  const auto cpu = static_cast<rlim_t>(limits.cpu.count());
  const rlimit cpu_limit{cpu, cpu + 1};  // SIGXCPU shows the reason
  ::setrlimit(RLIMIT_CPU, &cpu_limit);
  try {
    ::_exit(write_all(answer, work()) ? 0 : kThrew);
  } catch (const std::exception&) {
    ::_exit(kThrew);
  }
}

[[noreturn]] void refuse_start(const std::string& name, int error) {
  throw SystemError(
      name + ": cannot start a process that reads it: " + std::generic_category().message(error));
}

/// Throws the error for a process that ended early with this status.
[[noreturn]] void refuse_file(const std::string& name, const WorkLimits& limits, int status) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGXCPU) {
    throw InputError(name + ": could not be read within " + std::to_string(limits.cpu.count()) +
                     " seconds of a processor's time; expected a sound HDF5 file, or a faster "
                     "processor");
  }
  if (signal == SIGALRM) {
    throw InputError(name + ": could not be read within " + std::to_string(limits.wall.count()) +
                     " seconds; expected a sound HDF5 file, or a faster disk");
  }
  // The library does not cause this: the system does, when memory runs out.
  if (signal == SIGKILL) {
    throw InputError(name +
                     ": the process that read it was killed, as systems do that run out of "
                     "memory; expected a sound HDF5 file, or more memory");
  }
  throw InputError(name +
                   ": is damaged so that the HDF5 library fails on it; expected a sound HDF5 file");
}

/// The limits, lowered to the processor time that this process may use itself (ulimit -t).
WorkLimits granted(WorkLimits limits) {
  rlimit own{};
  if (::getrlimit(RLIMIT_CPU, &own) == 0 &&
      own.rlim_cur < static_cast<rlim_t>(limits.cpu.count())) {
    limits.cpu = std::chrono::seconds(own.rlim_cur);
  }
  return limits;
}

}  // namespace

WorkLimits limits_of_size(std::uint64_t bytes) {
  // A fast processor needs at most 3 seconds, plus one second per 8 MiB, a tenth of gzip's speed.
  // Small, old and emulated processors take up to twenty times as long.
  constexpr std::uint64_t kSlowest = 20;
  constexpr std::uint64_t kBytesPerSecond = std::uint64_t{8} << 20;
  const auto cpu = static_cast<std::int64_t>(kSlowest * 3 + bytes / (kBytesPerSecond / kSlowest));
  return {std::chrono::seconds(cpu), std::chrono::seconds(10 * cpu)};  // a slow, shared disk
}

std::optional<std::string> run_apart(const std::string& name, const WorkLimits& wanted,
                                     const std::function<std::string()>& work,
                                     const Descriptor& kept) {
  const WorkLimits limits = granted(wanted);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) refuse_start(name, errno);
  const Descriptor answers(ends[0]);
  Descriptor answering(ends[1]);
  const pid_t parent = ::getpid();
  pid_t child = -1;
  {
    const Call call;  // a thread inside the library now would stay inside it forever in the copy
    child = ::fork();
    if (child == 0) perform(limits, work, answering.get(), kept.get(), parent);
  }
  if (child < 0) refuse_start(name, errno);
  answering.reset();
  std::string answer;
  std::array<char, 4096> block{};
  for (;;) {
    const ssize_t count = ::read(answers.get(), block.data(), block.size());
    if (count == 0 || (count < 0 && errno != EINTR)) break;
    if (count > 0) answer.append(block.data(), static_cast<std::size_t>(count));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return answer;
  if (WIFEXITED(status) && WEXITSTATUS(status) == kThrew) return std::nullopt;
  refuse_file(name, limits, status);
}

namespace {

/// Ignores errors of the file: its reader reports them.
template <typename Action>
void attempt(const Action& action) {
  try {
    action();
  } catch (const std::exception&) {
  }
}

void read_values(const Dataset& dataset) {
  const DatasetInfo& info = dataset.info();
  const bool copied = info.element == Element::float32 || info.element == Element::float16 ||
                      info.element == Element::bfloat16;
  if (info.layout == "virtual" || (info.layout == "contiguous" && copied)) return;
  if (info.element == Element::string) {
    for_each_string(dataset, [](const std::string&) {});
  } else if (info.element != Element::other) {
    for_each_block(dataset, [](std::span<const std::byte>) {});
  }
}

/// Reads the object at `path` and everything below it.
void walk(const Reader& file, const std::string& path, int depth, ProbeScope scope) {
  constexpr int kMaxDepth = 16;  // hard links may form a cycle; no reader goes this deep
  std::optional<Dataset> dataset;
  attempt([&] { dataset = file.dataset(path); });
  if (dataset) {
    if (scope == ProbeScope::values) attempt([&] { read_values(*dataset); });
    return;
  }
  std::vector<std::string> links;
  attempt([&] { links = file.links(path); });
  if (depth == kMaxDepth) return;
  for (const std::string& link : links) walk(file, path + "/" + link, depth + 1, scope);
}

void read_as_readers_do(const Reader& file, ProbeScope scope) {
  for (const std::string& name : file.attributes()) {
    attempt([&] { file.string_attribute(name); });
    attempt([&] { file.strings_attribute(name); });
    attempt([&] { file.integer_attribute(name); });
  }
  walk(file, "", 0, scope);
}

}  // namespace

Reader open_probed(const std::filesystem::path& path, ProbeScope scope,
                   VirtualDatasets virtual_datasets, std::string name) {
  if (name.empty()) name = path.string();
  const Descriptor file = open_hdf5(path);
  const auto read = [&] {
    read_as_readers_do(Reader(file, path, name), scope);
    return std::string();
  };
  run_apart(name, limits_of_size(readable_size(file, name)), read, file);
  return Reader(file, path, std::move(name), virtual_datasets);
}

}  // namespace elmo::h5

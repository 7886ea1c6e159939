#include "io/h5/screening.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/workers.h"
#include "io/h5/dataset.h"
#include "io/h5/library.h"
#include "io/h5/types.h"

namespace elmo::h5 {
namespace {

/// The copy writes the size of its answer, and the answer: how the work has ended, then its result
/// or the message of its error. This shows whether it has done its work: the program may have taken
/// its exit code, and processes that the program has started meanwhile may keep the pipe open.
using Size = std::uint64_t;
enum class End : char { done, input_error, system_error, no_memory, damaged };

/// Closes the descriptors from `first` to `last`. Before Linux 5.9 each takes a system call.
void close_from_to(int first, int last) {
  constexpr int kMaxOpenFiles = 1 << 16;  // more than this program opens
  if (first > last) return;
  if (::close_range(static_cast<unsigned>(first), static_cast<unsigned>(last), 0) == 0) return;
  for (int number = first; number <= std::min(last, kMaxOpenFiles); ++number) ::close(number);
}

/// Closes all descriptors above standard error except those.
void close_all_but(std::vector<int> kept) {
  std::ranges::sort(kept);
  int first = STDERR_FILENO + 1;
  for (const int number : kept) {
    if (number < first) continue;
    close_from_to(first, number - 1);
    first = number + 1;
  }
  close_from_to(first, std::numeric_limits<int>::max());
}

/// The descriptors of the files that the library has open. The caller holds a Call.
std::vector<int> library_descriptors() {
  const auto all = static_cast<hid_t>(H5F_OBJ_ALL);
  // Objects as well: they keep a file open whose own handle is closed.
  const ssize_t count = H5Fget_obj_count(all, H5F_OBJ_ALL);
  std::vector<hid_t> objects(static_cast<std::size_t>(std::max(count, ssize_t{0})));
  const ssize_t found = H5Fget_obj_ids(all, H5F_OBJ_ALL, objects.size(), objects.data());
  objects.resize(static_cast<std::size_t>(std::max(found, ssize_t{0})));
  std::vector<int> descriptors;
  for (const hid_t object : objects) {
    const Handle file(H5Iget_file_id(object));
    if (!file) continue;
    // Only this driver's handles are descriptors.
    const Handle access(H5Fget_access_plist(file.id()));
    if (!access || H5Pget_driver(access.id()) != H5FD_SEC2) continue;
    void* number = nullptr;
    if (H5Fget_vfd_handle(file.id(), H5P_DEFAULT, &number) < 0) continue;
    descriptors.push_back(*static_cast<const int*>(number));
  }
  return descriptors;
}

/// Handles all signals by default, and blocks those that the parent handles if they are sent to the
/// whole job.
void reset_signals() {
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  sigset_t blocked;
  sigemptyset(&blocked);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2}) {
    sigaddset(&blocked, signal);
  }
  ::pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
}

/// Runs the work and returns what the copy writes.
std::string result_of(const std::function<std::string()>& work) {
  std::string result(sizeof(Size) + sizeof(End), '\0');
  End end = End::done;
  try {
    result += work();
  } catch (const InputError& error) {
    end = End::input_error;
    result += error.what();
  } catch (const LibraryFault&) {
    end = End::damaged;
  } catch (const SystemError& error) {
    end = End::system_error;
    result += error.what();
  } catch (const std::bad_alloc&) {
    end = End::no_memory;
  } catch (const std::exception&) {
    end = End::damaged;
  }
  const Size size = result.size() - sizeof(Size);
  std::memcpy(result.data(), &size, sizeof(Size));
  std::memcpy(result.data() + sizeof(Size), &end, sizeof(End));
  return result;
}

/// Runs the work in the copy, which writes to `answer`. Standard output is not used for this: the
/// thread sanitizer flushes it at the end, with everything the original had not written yet.
[[noreturn]] void perform(const WorkLimits& limits, const std::function<std::string()>& work,
                          int answer, std::vector<int> kept, pid_t parent) noexcept {
  reset_signals();
  if (answer <= STDERR_FILENO) {
    const int other = ::fcntl(answer, F_DUPFD, STDERR_FILENO + 1);
    std::ranges::replace(kept, answer, other);
    answer = other;
  }
  const int null = ::open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (std::ranges::find(kept, stream) == kept.end()) ::dup2(null, stream);
  }
  close_all_but(std::move(kept));
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  ::prctl(PR_SET_NAME, "elmo-screening");
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::alarm(static_cast<unsigned>(limits.wall.count()));
  const auto cpu = static_cast<rlim_t>(limits.cpu.count());
  const rlimit cpu_limit{cpu, cpu + 1};  // SIGXCPU shows the reason
  ::setrlimit(RLIMIT_CPU, &cpu_limit);
  const std::string result = result_of(work);
  ::_exit(write_all(answer, result) ? 0 : 1);
}

/// A copy of this process, and its end.
class Copy {
 public:
  explicit Copy(pid_t process) : process_(process) {}

  /// Returns whether it has ended; `options` as waitpid().
  bool has_ended(int options) {
    while (!ended_) {
      const pid_t found = ::waitpid(process_, &status_, options);
      if (found == 0) return false;
      // Other errors: the program ignores its children's ends, or has waited for all of them.
      ended_ = found > 0 || errno != EINTR;
    }
    return true;
  }

  /// Returns the signal that ended it; 0 if none did, or if it is not known.
  int signal() const { return WIFSIGNALED(status_) ? WTERMSIG(status_) : 0; }

 private:
  pid_t process_;
  int status_ = 0;
  bool ended_ = false;
};

/// Reads what the copy writes to `answers`, up to the end of its answer or to its own end. Returns
/// what follows the size, nothing if the answer is incomplete.
std::optional<std::string> read_answer(const Descriptor& answers, Copy& copy) {
  constexpr int kMillisecondsBetweenLooks = 100;
  std::string answer;
  std::array<char, 4096> block{};
  const auto is_complete = [&] {
    if (answer.size() < sizeof(Size)) return false;
    Size size = 0;
    std::memcpy(&size, answer.data(), sizeof(Size));
    return answer.size() - sizeof(Size) == size;
  };
  while (!is_complete()) {
    const bool ended = copy.has_ended(WNOHANG);
    pollfd ready{answers.get(), POLLIN, 0};
    const int count = ::poll(&ready, 1, ended ? 0 : kMillisecondsBetweenLooks);
    if (count == 0 && ended) return std::nullopt;
    if (count <= 0) continue;
    const ssize_t bytes = ::read(answers.get(), block.data(), block.size());
    if (bytes == 0 || (bytes < 0 && errno != EINTR)) return std::nullopt;
    if (bytes > 0) answer.append(block.data(), static_cast<std::size_t>(bytes));
  }
  return answer.substr(sizeof(Size));
}

[[noreturn]] void refuse_start(const std::string& name, int error) {
  throw SystemError(
      name + ": cannot start a process that reads it: " + std::generic_category().message(error));
}

/// Throws the error for a process that ended early, by this signal.
[[noreturn]] void refuse_file(const std::string& name, const WorkLimits& limits, int signal) {
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

std::string run_apart(const std::string& name, const WorkLimits& wanted,
                      const std::function<std::string()>& work, const Descriptor& kept) {
  const WorkLimits limits = granted(wanted);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) refuse_start(name, errno);
  const Descriptor answers(ends[0]);
  Descriptor answering(ends[1]);
  const pid_t parent = ::getpid();
  pid_t child = -1;
  {
    const Call call;  // a thread inside the library now would stay inside it forever in the copy
    // If the work opens a file that this process has open already, the library reads it through the
    // descriptor that it has.
    std::vector<int> open = library_descriptors();
    open.insert(open.end(), {kept.get(), answering.get()});
    const BlockedSignals blocked;  // no handler of the program runs in the copy
    child = ::fork();
    if (child == 0) perform(limits, work, answering.get(), std::move(open), parent);
  }
  if (child < 0) refuse_start(name, errno);
  answering.reset();
  Copy copy(child);
  const std::optional<std::string> answer = read_answer(answers, copy);
  copy.has_ended(0);
  if (!answer || answer->empty()) refuse_file(name, limits, copy.signal());
  std::string result = answer->substr(sizeof(End));
  switch (static_cast<End>(answer->front())) {
    case End::done:
      return result;
    case End::input_error:
      throw InputError(result);
    case End::system_error:
      throw SystemError(result);
    case End::no_memory:
      throw std::bad_alloc();
    case End::damaged:
      break;
  }
  refuse_file(name, limits, 0);
}

namespace {

/// Ignores errors of the file: its reader reports them.
template <typename Action>
void attempt(const Action& action) {
  try {
    action();
  } catch (const LibraryFault&) {
    throw;
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
void walk(const Reader& file, const std::string& path, int depth, ScreeningScope scope) {
  constexpr int kMaxDepth = 16;  // hard links may form a cycle; no reader goes this deep
  std::optional<Dataset> dataset;
  attempt([&] { dataset = file.dataset(path); });
  if (dataset) {
    if (scope == ScreeningScope::values) attempt([&] { read_values(*dataset); });
    return;
  }
  std::vector<std::string> links;
  attempt([&] { links = file.links(path); });
  if (depth == kMaxDepth) return;
  for (const std::string& link : links) walk(file, path + "/" + link, depth + 1, scope);
}

void read_as_readers_do(const Reader& file, ScreeningScope scope) {
  std::vector<std::string> attributes;
  attempt([&] { attributes = file.attributes(); });
  for (const std::string& name : attributes) {
    attempt([&] { file.string_attribute(name); });
    attempt([&] { file.strings_attribute(name); });
    attempt([&] { file.integer_attribute(name); });
  }
  walk(file, "", 0, scope);
}

}  // namespace

Reader open_screened(const std::filesystem::path& path, ScreeningScope scope,
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

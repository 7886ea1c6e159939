#include "io/h5/trial.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <vector>

#include "core/error.h"
#include "io/files/descriptor.h"

namespace elmo::h5 {
namespace {

/// How the child begins its report; what was thrown follows.
enum Outcome : char { kDone = 'd', kInputError = 'i', kSystemError = 's' };

void limit(decltype(RLIMIT_CPU) resource, rlim_t most) {
  const rlimit value{most, most};
  ::setrlimit(resource, &value);
}

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 4096> block{};
  while (true) {
    const ssize_t count = ::read(descriptor, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(block.data(), static_cast<std::size_t>(count));
  }
}

/// The child's life. What dying programs print, and the memory they leave, is of no use here.
[[noreturn]] void perform(int report, std::uint64_t bytes, const std::function<void()>& reading) {
  constexpr rlim_t kSeconds = 3;
  constexpr rlim_t kBytesPerSecond = rlim_t{8} << 20;  // a tenth of what unpacking gzip reaches
  limit(RLIMIT_CPU, kSeconds + bytes / kBytesPerSecond);
  limit(RLIMIT_CORE, 0);
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE}) std::signal(signal, SIG_DFL);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  std::string outcome;
  try {
    reading();
    outcome = kDone;
  } catch (const InputError& error) {
    outcome = std::string(1, kInputError) + error.what();
  } catch (const std::exception& error) {
    outcome = std::string(1, kSystemError) + error.what();
  }
  static_cast<void>(write_all(report, outcome));
  ::_exit(0);
}

}  // namespace

void try_out(const std::string& name, std::uint64_t bytes, const std::function<void()>& reading) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw SystemError(std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  const pid_t child = ::fork();
  if (child == 0) perform(ends[1], bytes, reading);
  const int error = errno;
  ::close(ends[1]);
  const std::string outcome = child < 0 ? "" : read_all(ends[0]);
  ::close(ends[0]);
  if (child < 0) throw SystemError(std::string("cannot start a process: ") + std::strerror(error));
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (outcome.empty()) {
    throw InputError(name +
                     ": is damaged so that the HDF5 library fails on it; expected a sound "
                     "HDF5 file");
  }
  if (outcome[0] == kInputError) throw InputError(outcome.substr(1));
  if (outcome[0] == kSystemError) throw SystemError(outcome.substr(1));
}

void try_reading(const Dataset& dataset) {
  const DatasetInfo& info = dataset.info();
  if (info.layout == "contiguous" && info.element == Element::float32) return;
  std::vector<float> values(info.count());
  dataset.read(values);
}

}  // namespace elmo::h5

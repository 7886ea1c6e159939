#include "io/h5/screening.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/error.h"
#include "core/workers.h"
#include "io/files/atomic_file.h"
#include "io/h5/dataset.h"
#include "io/h5/library.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo::h5 {
namespace {

constexpr WorkLimits kAmple{std::chrono::seconds(60), std::chrono::seconds(60)};

/// Writes a small valid file that unpacks to `chunks` times 32 MiB.
void make_slow_file(const std::filesystem::path& path, std::size_t chunks) {
  constexpr hsize_t kChunk = hsize_t{32} << 20;
  const Call call;
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 1, &kChunk);
  H5Pset_deflate(creation, 1);
  const hsize_t size = chunks * kChunk;
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  const hid_t dataset =
      H5Dcreate2(file, "zeros", H5T_STD_I8LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  const hsize_t start = 0;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &kChunk, nullptr);
  const hid_t memory = H5Screate_simple(1, &kChunk, nullptr);
  H5Dwrite(dataset, H5T_STD_I8LE, memory, space, H5P_DEFAULT, std::string(kChunk, '\0').data());
  H5Dflush(dataset);
  hsize_t packed_size = 0;
  H5Dget_chunk_storage_size(dataset, &start, &packed_size);
  std::string packed(packed_size, '\0');
  std::uint32_t filters = 0;
  H5Dread_chunk(dataset, H5P_DEFAULT, &start, &filters, packed.data());
  for (hsize_t at = kChunk; at < size; at += kChunk) {
    REQUIRE(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, &at, packed.size(), packed.data()) >= 0);
  }
  for (const hid_t each : {memory, space}) H5Sclose(each);
  H5Pclose(creation);
  H5Dclose(dataset);
  H5Fclose(file);
}

/// Screens the slow file in a child process.
void screen_file(const std::filesystem::path& path, const WorkLimits& limits = kAmple) {
  const auto work = [&] {
    for_each_block(Reader(path).dataset("zeros"), [](std::span<const std::byte>) {});
    return std::string();
  };
  run_apart("file.hdf5", limits, work);
}

/// Returns the child processes of `parent` that have not been waited for.
std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  const std::string tasks = "/proc/" + std::to_string(parent) + "/task";
  for (const auto& task : std::filesystem::directory_iterator(tasks)) {
    std::ifstream list(task.path() / "children");
    for (pid_t child = 0; list >> child;) children.push_back(child);
  }
  return children;
}

/// Sends the signal to the process that screens a file for `parent`, once it reads the file.
void signal_screening(pid_t parent, int signal) {
  std::vector<pid_t> children;
  while (children.empty()) {
    children = children_of(parent);
    std::erase(children, ::getpid());
  }
  const std::string limits = "/proc/" + std::to_string(children.front()) + "/limits";
  for (std::string text; text.find("cpu time              60 ") == std::string::npos;) {
    std::ifstream file(limits);
    text = {std::istreambuf_iterator<char>(file), {}};
  }
  ::kill(children.front(), signal);
}

/// Screens a slow file while its process receives a signal. Another process sends it: if a thread
/// allocates while another one forks, a sanitizer's allocator may stay locked in the child.
void screen_and_signal(const std::filesystem::path& slow, int signal) {
  const pid_t parent = ::getpid();
  const pid_t sender = ::fork();
  REQUIRE(sender >= 0);
  if (sender == 0) {
    signal_screening(parent, signal);
    ::_exit(0);
  }
  const auto wait = [sender] { ::waitpid(sender, nullptr, 0); };
  try {
    screen_file(slow);
  } catch (...) {
    wait();
    throw;
  }
  wait();
}

TEST_CASE("a sound file is screened and then read from the same open file") {
  const TempDir dir;
  make_slow_file(dir / "sound.h5", 1);
  CHECK_NOTHROW(screen_file(dir / "sound.h5"));
  const Reader reader = open_screened(dir / "sound.h5", ScreeningScope::values);
  CHECK(reader.dataset("zeros").info().rows() == std::uint64_t{32} << 20);
}

TEST_CASE("run_apart returns the result and changes nothing in this process") {
  const std::string found = std::string(100'000, 'x') + '\0' + "end";
  bool here = true;
  CHECK(run_apart("file.hdf5", kAmple, [&] {
          here = false;
          return found;
        }) == found);
  CHECK(here);
}

TEST_CASE("run_apart throws what the work throws") {
  const auto run = [](const auto& fail) {
    run_apart("file.hdf5", kAmple, [&]() -> std::string {
      fail();
      return "";
    });
  };
  CHECK_THROWS_WITH_AS(run([] { throw InputError("no HDF5"); }), "no HDF5", InputError);
  CHECK_THROWS_WITH_AS(run([] { throw SystemError("no disk"); }), "no disk", SystemError);
  CHECK_THROWS_AS(run([] { throw std::bad_alloc(); }), std::bad_alloc);
  // The file is to blame if the library fails at random.
  const char* const damaged =
      "file.hdf5: is damaged so that the HDF5 library fails on it; expected a sound HDF5 file";
  CHECK_THROWS_WITH_AS(run([] { throw LibraryFault("no type"); }), damaged, InputError);
  CHECK_THROWS_WITH_AS(run([] { throw std::length_error("no string"); }), damaged, InputError);
}

TEST_CASE("run_apart has one open file and no other") {
  const TempDir dir;
  std::ofstream(dir / "file") << "text";
  const Descriptor kept = open_hdf5(dir / "file");
  const Descriptor other = open_hdf5(dir / "file");
  const auto is_open = [](const Descriptor& file) {
    return ::fcntl(file.get(), F_GETFD) < 0 ? "-" : "+";
  };
  const auto work = [&] { return std::string(is_open(kept)) + is_open(other); };
  CHECK(run_apart("file.hdf5", kAmple, work, kept) == "+-");
  CHECK(run_apart("file.hdf5", kAmple, work) == "--");
  CHECK(is_open(other) == std::string("+"));
}

/// Makes close_range fail with ENOSYS in this process, as before Linux 5.9.
void refuse_close_range() {
  constexpr auto kNumber = static_cast<unsigned>(offsetof(seccomp_data, nr));
  std::array<sock_filter, 4> steps{{{BPF_LD | BPF_W | BPF_ABS, 0, 0, kNumber},
                                    {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_close_range},
                                    {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS},
                                    {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}}};
  const sock_fprog program{static_cast<unsigned short>(steps.size()), steps.data()};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) ::_exit(2);
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) ::_exit(2);
}

TEST_CASE("run_apart has no other open file on older kernels") {
  const TempDir dir;
  std::ofstream(dir / "file") << "text";
  const Descriptor kept = open_hdf5(dir / "file");
  const Descriptor other = open_hdf5(dir / "file");
  const pid_t old = ::fork();
  REQUIRE(old >= 0);
  if (old == 0) {
    refuse_close_range();
    const auto is_closed = [](const Descriptor& file) { return ::fcntl(file.get(), F_GETFD) < 0; };
    const auto work = [&] { return is_closed(other) && !is_closed(kept) ? "yes" : "no"; };
    ::_exit(run_apart("file.hdf5", kAmple, work, kept) == "yes" ? 0 : 1);
  }
  int status = 0;
  ::waitpid(old, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 2) {
    MESSAGE("not run: this kernel filters no system calls");
  } else {
    CHECK(status == 0);
  }
}

TEST_CASE("a file that the program has open is screened") {
  const TempDir dir;
  make_slow_file(dir / "sound.h5", 1);
  const Reader open(dir / "sound.h5");
  CHECK_NOTHROW(screen_file(dir / "sound.h5"));
  CHECK(open_screened(dir / "sound.h5", ScreeningScope::values).exists("zeros"));
}

TEST_CASE("a dataset alone keeps its file open for screening") {
  const TempDir dir;
  make_slow_file(dir / "sound.h5", 1);
  const Dataset dataset = Reader(dir / "sound.h5").dataset("zeros");
  CHECK_NOTHROW(screen_file(dir / "sound.h5"));
}

TEST_CASE("an open file is screened in programs without standard input") {
  const TempDir dir;
  make_slow_file(dir / "sound.h5", 1);
  const pid_t program = ::fork();
  REQUIRE(program >= 0);
  if (program == 0) {
    ::close(STDIN_FILENO);
    bool sound = false;
    try {
      const Reader open(dir / "sound.h5");
      screen_file(dir / "sound.h5");
      sound = true;
    } catch (const std::exception&) {
    }
    ::_exit(sound ? 0 : 1);
  }
  int status = 0;
  ::waitpid(program, &status, 0);
  CHECK(status == 0);
}

TEST_CASE("a file that kills the process is refused") {
  const TempDir dir;
  make_slow_file(dir / "slow.h5", 100);
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS}) {
    CAPTURE(signal);
    CHECK_THROWS_WITH_AS(screen_and_signal(dir / "slow.h5", signal),
                         doctest::Contains("file.hdf5: is damaged"), InputError);
  }
  CHECK_THROWS_WITH_AS(screen_and_signal(dir / "slow.h5", SIGKILL),
                       doctest::Contains("file.hdf5: the process that read it was killed"),
                       InputError);
}

/// Sets a signal's handling until the end of the scope.
class Handling {
 public:
  Handling(int signal, void (*handler)(int))
      : signal_(signal), before_(std::signal(signal, handler)) {}
  ~Handling() { std::signal(signal_, before_); }

 private:
  int signal_;
  void (*before_)(int);
};

std::string crash() {
  std::raise(SIGSEGV);
  return "went on";
}

TEST_CASE("run_apart runs no handler of the program, and its signals are not blocked") {
  const Handling crashes(SIGSEGV, [](int) {});
  CHECK_THROWS_WITH_AS(run_apart("file.hdf5", kAmple, crash),
                       doctest::Contains("file.hdf5: is damaged"), InputError);
  const BlockedSignals blocked;
  const Handling alarms(SIGALRM, SIG_IGN);
  const auto sleep = [] {
    for (;;) ::pause();
    return std::string();
  };
  CHECK_THROWS_WITH_AS(run_apart("file.hdf5", {kAmple.cpu, std::chrono::seconds(1)}, sleep),
                       doctest::Contains("could not be read within 1 seconds"), InputError);
}

TEST_CASE("run_apart works in programs that take the ends of all children") {
  const auto take_all = [](int) {
    const int before = errno;
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    errno = before;
  };
  for (auto* const handler : {static_cast<void (*)(int)>(take_all), SIG_IGN}) {
    const Handling ends(SIGCHLD, handler);
    CHECK(run_apart("file.hdf5", kAmple, [] { return std::string("answer"); }) == "answer");
    CHECK_THROWS_AS(run_apart("file.hdf5", kAmple, []() -> std::string { throw SystemError(""); }),
                    SystemError);
    CHECK_THROWS_AS(run_apart("file.hdf5", kAmple, crash), InputError);
  }
}

TEST_CASE("run_apart does not wait for other processes that hold its pipe") {
  const TempDir dir;
  const std::filesystem::path path = dir / "holder";
  // Stands for a process that another thread of the program starts meanwhile.
  const auto start_holder = [&] {
    const pid_t holder = ::fork();
    if (holder == 0) {
      ::alarm(60);
      for (;;) ::pause();
    }
    std::ofstream(path) << holder;
    return std::string("answer");
  };
  const auto end_holder = [&] {
    pid_t holder = 0;
    std::ifstream(path) >> holder;
    std::filesystem::remove(path);
    return holder > 0 && ::kill(holder, SIGKILL) == 0;
  };
  CHECK(run_apart("file.hdf5", kAmple, start_holder) == "answer");
  CHECK(end_holder());
  const auto start_and_crash = [&] {
    start_holder();
    return crash();
  };
  CHECK_THROWS_AS(run_apart("file.hdf5", kAmple, start_and_crash), InputError);
  CHECK(end_holder());
}

TEST_CASE("signals to a whole job do not end the process") {
  const TempDir dir;
  make_slow_file(dir / "slow.h5", 10);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    CAPTURE(signal);
    CHECK_NOTHROW(screen_and_signal(dir / "slow.h5", signal));
  }
}

TEST_CASE("a file that takes too long is refused") {
  const TempDir dir;
  make_slow_file(dir / "slow.h5", 1000);
  const std::chrono::seconds one(1);
  CHECK_THROWS_WITH_AS(screen_file(dir / "slow.h5", {one, kAmple.wall}),
                       doctest::Contains("could not be read within 1 seconds of a processor"),
                       InputError);
  CHECK_THROWS_WITH_AS(screen_file(dir / "slow.h5", {kAmple.cpu, one}),
                       doctest::Contains("could not be read within 1 seconds; expected"),
                       InputError);
  CHECK_NOTHROW(open_screened(dir / "slow.h5", ScreeningScope::structure));
}

TEST_CASE("larger files have more time") {
  CHECK(limits_of_size(std::uint64_t{1} << 40).cpu > 1000 * limits_of_size(0).cpu);
  CHECK(limits_of_size(0).wall > limits_of_size(0).cpu);
}

TEST_CASE("a file that is not HDF5 is refused by its reader") {
  const TempDir dir;
  std::ofstream(dir / "text.h5") << "text";
  CHECK_THROWS_WITH_AS(open_screened(dir / "text.h5", ScreeningScope::values),
                       doctest::Contains("is not an HDF5 file"), InputError);
}

TEST_CASE("hard links in a circle end") {
  const TempDir dir;
  {
    const Call call;
    const hid_t file =
        H5Fcreate((dir / "circle.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Lcreate_hard(file, "/", file, "group/root", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
  }
  CHECK_NOTHROW(open_screened(dir / "circle.h5", ScreeningScope::values));
}

TEST_CASE("a screening process that is killed leaves no lock held") {
  const TempDir dir;
  make_slow_file(dir / "slow.h5", 1000);
  const pid_t parent = ::fork();
  REQUIRE(parent >= 0);
  if (parent == 0) {
    const OutputFolder lock(dir.path());
    try {
      screen_file(dir / "slow.h5");
    } catch (const std::exception&) {
    }
    ::_exit(1);
  }
  signal_screening(parent, 0);
  const pid_t child = children_of(parent).front();
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  CHECK_NOTHROW(OutputFolder(dir.path()));
  using namespace std::chrono_literals;
  for (int waited = 0; waited < 200 && ::kill(child, 0) == 0; ++waited) {
    std::this_thread::sleep_for(10ms);
  }
  std::ifstream state("/proc/" + std::to_string(child) + "/stat");
  const std::string text{std::istreambuf_iterator<char>(state), {}};
  CHECK((text.empty() || text.find(") Z") != std::string::npos));
}

TEST_CASE("many threads screen and read files at once") {
  const TempDir dir;
  make_slow_file(dir / "sound.h5", 1);
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      try {
        const Reader file = open_screened(dir / "sound.h5", ScreeningScope::values);
        for_each_block(file.dataset("zeros"), [](std::span<const std::byte>) {});
        ++right;
      } catch (const std::exception&) {
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(right == 8);
}

}  // namespace
}  // namespace elmo::h5

// `bin/elmo` of a portable installation: starts the program with the loader and the libraries that
// come with it. Statically linked, so that it needs nothing of the system.
//
//   PREFIX/bin/elmo               this launcher; symbolic links to it may be anywhere
//   PREFIX/libexec/elmo/elmo      the loader, named as the process should be
//   PREFIX/libexec/elmo/program   the program; its models are in share/elmo/models beside it
//   PREFIX/libexec/elmo/*.so.*    the libraries of its C and C++ compiler
//   PREFIX/libexec/elmo/lib       its other libraries, which PREFIX/lib/libelmo.so.* loads, too
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

// Memory and strings come from the C library: libstdc++'s would make the launcher twice as large.
// Nothing is freed before the program replaces the launcher.

[[noreturn]] void fail(const char* path, const char* reason) {
  constexpr int kFailure = 1;
  std::fprintf(stderr, "elmo: %s: %s\n", path, reason);
  std::exit(kFailure);
}

const char* joined(const char* first, const char* separator, const char* second) {
  char* text = nullptr;
  if (asprintf(&text, "%s%s%s", first, separator, second) < 0) fail(second, std::strerror(ENOMEM));
  return text;
}

const char* path_of(const char* folder, const char* name) { return joined(folder, "/", name); }

/// Returns the folder of the loader, the program and its libraries.
const char* find_folder() {
  // The path that the kernel started: right whatever argv[0] says, and without /proc.
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel's interface
  const auto* const started = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  if (started == nullptr) fail("AT_EXECFN", "not given by the kernel");
  char* const path = realpath(started, nullptr);
  if (path == nullptr) fail(started, std::strerror(errno));
  for (int level = 0; level < 2; ++level) {  // the name, then bin
    if (char* const slash = std::strrchr(path, '/'); slash != nullptr) *slash = '\0';
  }
  const char* const folder = path_of(path, "libexec/elmo");
  // The loader splits its list of folders at the first two, and replaces words after the third.
  if (std::strpbrk(folder, ":;$") != nullptr) {
    fail(folder, "the loader cannot use a path with ':', ';' or '$'; move the installation");
  }
  return folder;
}

}  // namespace

int main(int argc, char** argv) {
  const char* const folder = find_folder();
  const char* const loader = path_of(folder, "elmo");
  const char* const program = path_of(folder, "program");
  const char* const libraries = joined(folder, ":", path_of(folder, "lib"));
  const char* const called = argc > 0 ? argv[0] : "elmo";
  // Uses neither the system's cache of libraries nor LD_LIBRARY_PATH, which the path replaces.
  const std::array loading{
      called, "--inhibit-cache", "--library-path", libraries, "--argv0", called, program};
  const auto given = static_cast<std::size_t>(std::max(argc - 1, 0));
  auto** const arguments =
      static_cast<const char**>(std::calloc(loading.size() + given + 1, sizeof(char*)));
  if (arguments == nullptr) fail(program, std::strerror(ENOMEM));
  std::copy_n(argv + 1, given, std::copy(loading.begin(), loading.end(), arguments));

  // Libraries that were built for the system's C library do not fit this one.
  unsetenv("LD_PRELOAD");
  unsetenv("LD_AUDIT");
  execv(loader, const_cast<char* const*>(arguments));
  fail(loader, errno == ENOENT ? "not found; link to this launcher instead of copying it"
                               : std::strerror(errno));
}

#include "io/h5/trial.h"

#include <doctest/doctest.h>

#include <csignal>
#include <new>

#include "core/error.h"

namespace elmo::h5 {
namespace {

TEST_CASE("what goes well in the child goes on here, and nothing has changed") {
  int count = 0;
  CHECK_NOTHROW(try_out("file", 0, [&] { ++count; }));
  CHECK(count == 0);
}

TEST_CASE("what the child throws is thrown here") {
  const std::string words(100000, 'x');
  CHECK_THROWS_WITH_AS(try_out("file", 0, [&] { throw InputError(words); }), words.c_str(),
                       InputError);
  CHECK_THROWS_WITH_AS(try_out("file", 0, [] { throw SystemError("full"); }), "full", SystemError);
  CHECK_THROWS_AS(try_out("file", 0, [] { throw std::bad_alloc(); }), SystemError);
}

TEST_CASE("a file that kills the child is refused") {
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGKILL}) {
    CAPTURE(signal);
    CHECK_THROWS_WITH_AS(try_out("file.hdf5", 0, [&] { std::raise(signal); }),
                         doctest::Contains("file.hdf5: is damaged"), InputError);
  }
}

TEST_CASE("a file that holds the child up without end is refused") {
  volatile bool forever = true;
  CHECK_THROWS_AS(try_out("file.hdf5", 0,
                          [&] {
                            while (forever) {
                            }
                          }),
                  InputError);
}

}  // namespace
}  // namespace elmo::h5

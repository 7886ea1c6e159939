#include "cli/process/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <initializer_list>
#include <iostream>
#include <streambuf>

#include "io/files/descriptor.h"

namespace elmo {
namespace {

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

void write_all_errors() {
  static ErrorOutput output;
  std::cerr.rdbuf(&output);
}

void occupy_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // open() returns the lowest free descriptor, which is this one.
    (void)open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace elmo

#include "cli/process/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <initializer_list>

namespace elmo {

void occupy_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // open() takes the lowest number that is free, which is this one.
    (void)open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace elmo

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "core/workers.h"

int main(int argc, char** argv) {
  elmo::set_threads_of_this_thread(1);  // like the threads that embed
  return doctest::Context(argc, argv).run();
}

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  // As the tool does, which holds locks of its own on these files.
  ::setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
  return doctest::Context(argc, argv).run();
}

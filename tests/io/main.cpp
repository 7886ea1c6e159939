// The program starts itself to probe files, as the tool does.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "io/h5/probe.h"

int main(int argc, char** argv) {
  elmo::h5::prepare_process(argc, argv);
  return doctest::Context(argc, argv).run();
}

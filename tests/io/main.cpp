// The program starts itself to try files out, as the tool does.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "io/trials.h"
#include "tests/io/fixtures/trials.h"

int main(int argc, char** argv) {
  elmo::h5::TrialReadings readings = elmo::trial_readings();
  elmo::add_test_readings(readings);
  elmo::h5::serve_trials(argc, argv, readings);
  return doctest::Context(argc, argv).run();
}

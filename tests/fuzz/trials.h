// What a fuzzer includes that has files tried out: libFuzzer's main() calls this first.
#pragma once

#include "io/trials.h"

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  elmo::h5::serve_trials(*argc, *argv, elmo::trial_readings());
  return 0;
}

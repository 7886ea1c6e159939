// What a fuzzer includes that has files probed: libFuzzer's main() calls this first.
#pragma once

#include "io/h5/probe.h"

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  elmo::h5::prepare_process(*argc, *argv);
  return 0;
}

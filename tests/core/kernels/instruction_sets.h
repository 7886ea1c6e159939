// Kernels are compiled once for each instruction set; tests run all that this machine has.
#pragma once

#include <doctest/doctest.h>
#include <hwy/targets.h>

#include <cstdint>

namespace elmo {

/// Calls `body` once for each instruction set, which the kernels use during the call.
template <typename Body>
void for_each_instruction_set(Body body) {
  struct Restored {
    ~Restored() { hwy::GetChosenTarget().DeInit(); }
  } restored;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(hwy::TargetName(target));
    hwy::GetChosenTarget().Update(target);
    body();
  }
}

}  // namespace elmo

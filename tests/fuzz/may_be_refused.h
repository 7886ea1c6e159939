// Runs what may refuse the input of a fuzzer.
#pragma once

#include "core/error.h"

namespace elmo {

/// Calls `action`, which may throw an InputError. Any other exception is a finding.
template <typename Action>
void may_be_refused(const Action& action) {
  try {
    action();
  } catch (const InputError&) {
  }
}

}  // namespace elmo

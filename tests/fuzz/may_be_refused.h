// Runs code that may refuse a fuzzer's input.
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

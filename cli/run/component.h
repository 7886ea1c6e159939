// One component of a run's fingerprint.
#pragma once

#include <string>

#include "io/fingerprint.h"

namespace elmo {

/// Returns the component `name`; empty if there is none.
inline std::string component(const RunFingerprint& fingerprint, const std::string& name) {
  for (const auto& [other, value] : fingerprint) {
    if (other == name) return value;
  }
  return "";
}

}  // namespace elmo

// One component of a run's fingerprint.
#pragma once

#include <string>

#include "io/fingerprint.h"

namespace elmo {

/// The component of that name; empty where there is none.
inline std::string component(const RunFingerprint& fingerprint, const std::string& name) {
  for (const auto& [other, value] : fingerprint) {
    if (other == name) return value;
  }
  return "";
}

}  // namespace elmo

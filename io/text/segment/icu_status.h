// ICU's status codes as errors.
#pragma once

#include <unicode/utypes.h>

#include <string>

#include "core/error.h"

namespace elmo {

/// Throws a SystemError "ICU cannot <what>" if `status` is a failure.
inline void check_icu(UErrorCode status, const std::string& what) {
  if (U_FAILURE(status)) {
    throw SystemError("ICU cannot " + what + ": " + u_errorName(status) +
                      "; are its data files installed?");
  }
}

}  // namespace elmo

// ICU's status codes as errors.
#pragma once

#include <unicode/utypes.h>

#include <string>

#include "core/error.h"

namespace elmo {

/// SystemError saying what could not be done, unless all went well.
inline void check_icu(UErrorCode status, const std::string& what) {
  if (U_FAILURE(status)) {
    throw SystemError("ICU cannot " + what + ": " + u_errorName(status) +
                      "; are its data files installed?");
  }
}

}  // namespace elmo

// Errors of a file that say which it is.
#pragma once

#include <string>

#include "core/error.h"

namespace elmo {

/// What `read` returns. An InputError that it throws gets the name of the file in front, unless it
/// is there already.
template <typename Read>
auto name_errors(const std::string& name, Read&& read) {
  try {
    return read();
  } catch (const InputError& error) {
    const std::string message = error.what();
    if (message.starts_with(name + ": ")) throw;
    throw InputError(name + ": " + message, error.remedy());
  }
}

}  // namespace elmo

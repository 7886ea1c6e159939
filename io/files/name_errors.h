// Errors that name the file they are about.
#pragma once

#include <string>

#include "core/error.h"

namespace elmo {

/// Returns the result of `read`. If it throws an InputError, puts the name of the file in front of
/// the message unless it is already there.
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

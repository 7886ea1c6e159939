// Errors in the words of the command line.
#pragma once

#include <string>

#include "core/error.h"

namespace elmo {

/// The message of `error`, with the option that would help against it.
std::string message_of(const Error& error);

}  // namespace elmo

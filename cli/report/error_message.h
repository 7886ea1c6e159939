// Errors in the words of the command line.
#pragma once

#include <functional>
#include <string>

#include "core/error.h"

namespace elmo {

/// The message of `error`, with the options that would help against it if the command has all of
/// them; has_option("--resume") says so. Without has_option, it has all.
std::string message_of(const Error& error,
                       const std::function<bool(const std::string&)>& has_option = nullptr);

}  // namespace elmo

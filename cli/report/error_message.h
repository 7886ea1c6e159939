// Error messages that name command-line options.
#pragma once

#include <functional>
#include <string>

#include "core/error.h"

namespace elmo {

/// Returns the message of `error`. Adds the options that remedy it if the command has all of them:
/// has_option("--resume") returns whether it has one. Without `has_option`, the command has all
/// options.
std::string message_of(const Error& error,
                       const std::function<bool(const std::string&)>& has_option = nullptr);

}  // namespace elmo

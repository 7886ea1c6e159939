// The definition of the command line: all commands with their options.
#pragma once

#include <memory>

#include "cli/command.h"
#include "cli/program.h"

namespace elmo {

/// Returns the definition of `elmo`, which parses the command line and from which the pages are
/// generated. Parsing sets `chosen`, which must outlive the result.
std::unique_ptr<Program> make_application(Command& chosen);

}  // namespace elmo

// The tool as its users see it: every command with its options.
#pragma once

#include <memory>

#include "cli/command.h"
#include "cli/program.h"

namespace elmo {

/// The definition of `elmo`, which the command line is parsed with and the pages are made of.
/// Parsing sets `chosen`, which has to outlive it.
std::unique_ptr<Program> make_application(Command& chosen);

}  // namespace elmo

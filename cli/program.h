// The command line, from its definition and its arguments to the exit code.
#pragma once

#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/common/options.h"

namespace elmo {

/// Returns a program without options. Its help is formatted by HelpFormatter.
std::shared_ptr<CLI::App> make_program(const std::string& name, const std::string& description);

/// Adds --version to the program and its commands, and rejects empty values. Call it when all
/// options are defined.
void complete_program(CLI::App& program);

/// Parses the arguments, which sets `command`, and runs it. Exceptions become a message on standard
/// error and an exit code, with which the process group ends.
ExitCode run_program(CLI::App& program, const Command& command, int argc, const char* const* argv);

/// Returns the definition of `elmo`, which parses the command line and from which the pages are
/// generated. Parsing sets `chosen`, which must outlive the result.
std::shared_ptr<CLI::App> make_application(Command& chosen);

}  // namespace elmo

// A program of this tool, from its arguments to its exit code.
#pragma once

#include <memory>
#include <string>

#include "cli/command.h"

namespace elmo {

/// What comes first in main: standard streams, failed writes and cut files become what cli/process
/// makes of them.
void prepare_program();

/// A program without options, whose help looks as all help of this tool.
std::unique_ptr<CLI::App> make_program(const std::string& name, const std::string& description);

/// To be called once all options are defined: adds --version to the program and to its commands,
/// and refuses empty values.
void complete_options(CLI::App& app);

/// Parses the arguments, which sets `command`, and runs it. What is thrown becomes a message on
/// standard error and an exit code.
ExitCode run_program(CLI::App& app, const Command& command, int argc, const char* const* argv);

}  // namespace elmo

// The command line, from its definition and its arguments to the exit code.
#pragma once

#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/common/options.h"

namespace elmo {

/// Prepares standard streams, failed writes and truncated files as described in
/// cli/common/process.h. Call it first in main.
void prepare_program();

/// Parses the command line and runs the chosen command.
class Program {
 public:
  /// A program without options. Its help is formatted by HelpFormatter.
  Program(const std::string& name, const std::string& description);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  Options options() { return Options(app_.get()); }

  /// Adds --version to the program and its commands, and rejects empty values. Call it when all
  /// options are defined.
  void complete();

  /// Parses the arguments, which sets `command`, and runs it. Exceptions become a message on
  /// standard error and an exit code.
  ExitCode run(const Command& command, int argc, const char* const* argv);

  /// The definition from which pages are generated.
  const CLI::App& definition() const { return *app_; }

 private:
  std::unique_ptr<CLI::App> app_;
};

/// Returns the definition of `elmo`, which parses the command line and from which the pages are
/// generated. Parsing sets `chosen`, which must outlive the result.
std::unique_ptr<Program> make_application(Command& chosen);

}  // namespace elmo

// A program of this tool, from its arguments to its exit code.
#pragma once

#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/flags/definition.h"

namespace elmo {

/// What comes first in main: standard streams, failed writes and cut files become what cli/process
/// makes of them.
void prepare_program();

/// What the command line is parsed with.
class Program {
 public:
  /// Without options; its help looks as all help of this tool.
  Program(const std::string& name, const std::string& description);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  Options options() { return Options(app_.get()); }

  /// To be called once all options are defined: adds --version to the program and to its commands,
  /// and refuses empty values.
  void complete();

  /// Parses the arguments, which sets `command`, and runs it. What is thrown becomes a message on
  /// standard error and an exit code.
  ExitCode run(const Command& command, int argc, const char* const* argv);

  /// What pages are made of.
  const CLI::App& definition() const { return *app_; }

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace elmo

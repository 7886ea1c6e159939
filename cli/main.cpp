// `elmo`: picks the subcommand and runs it.
#include <CLI/App.hpp>
#include <memory>

#include "cli/application.h"
#include "cli/program.h"
#include "io/mpi/ranks.h"

int main(int argc, char** argv) {
  elmo::prepare_program();
  elmo::Command command;
  const std::unique_ptr<CLI::App> app = elmo::make_application(command);
  const int code = elmo::run_program(*app, command, argc, argv);
  elmo::end_ranks(code);
  return code;
}

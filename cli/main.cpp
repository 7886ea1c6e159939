// `elmo`: picks the subcommand and runs it.
#include <CLI/App.hpp>
#include <memory>

#include "cli/application.h"
#include "cli/process/signals.h"
#include "cli/process/standard_streams.h"
#include "cli/program.h"
#include "io/h5/probe.h"
#include "io/mpi/ranks.h"

int main(int argc, char** argv) {
  elmo::h5::prepare_process(argc, argv);
  elmo::occupy_standard_streams();
  elmo::survive_failed_writes();
  elmo::explain_cut_files();
  elmo::Command command;
  const std::unique_ptr<CLI::App> app = elmo::make_application(command);
  const int code = elmo::run_program(*app, command, argc, argv);
  elmo::end_ranks(code);
  return code;
}

// `elmo`: picks the subcommand and runs it.
#include "cli/program.h"
#include "io/mpi/ranks.h"

int main(int argc, char** argv) {
  elmo::prepare_process();
  elmo::Command command;
  const int code = elmo::run_program(*elmo::make_application(command), command, argc, argv);
  elmo::end_ranks(code);
  return code;
}

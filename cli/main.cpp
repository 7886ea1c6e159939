// `elmo`: picks the subcommand and runs it.
#include "cli/program.h"
#include "io/mpi/ranks.h"

int main(int argc, char** argv) {
  elmo::prepare_program();
  elmo::Command command;
  const int code = elmo::make_application(command)->run(command, argc, argv);
  elmo::end_ranks(code);
  return code;
}

// `elmo`: picks the subcommand and runs it.
#include "cli/program.h"

int main(int argc, char** argv) {
  elmo::prepare_process();
  elmo::Command command;
  return elmo::run_program(*elmo::make_application(command), command, argc, argv);
}

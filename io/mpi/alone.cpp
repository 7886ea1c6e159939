// Implementation of ranks.h for builds without MPI.
#include "core/resources.h"
#include "io/mpi/ranks.h"

namespace elmo {

std::unique_ptr<Communicator> join_ranks() { return std::make_unique<LocalCommunicator>(); }

int threads_of_rank() { return available_threads(); }

void leave_ranks() {}

void end_ranks(int) {}

std::string name_of_rank() { return {}; }

}  // namespace elmo

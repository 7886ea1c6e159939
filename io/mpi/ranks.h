// The processes that a launcher (mpirun, srun) started to train one model: its ranks.
//
// A build without MPI has io/mpi/alone.cpp in place of the other files of this folder: there each
// process is rank 0 of 1.
#pragma once

#include <memory>
#include <string>

#include "core/train/communicator.h"

namespace elmo {

/// Joins the ranks; a process that was started by itself is rank 0 of 1, and so is every process
/// where the build has no MPI. Called once, on the main thread, which has to call one of the two
/// functions that leave. SystemError where the ranks cannot be joined.
std::unique_ptr<Communicator> join_ranks();

/// How many threads this rank may compute with so that the ranks of its machine have as many as
/// they may run on: those available to it, and no more than its share of the processors that they
/// are allowed to use together. All ranks call it, after join_ranks(). At least 1.
int threads_of_rank();

/// Returns when all ranks have called it. Nothing of join_ranks() may be used any more.
void leave_ranks();

/// Where this process has joined others and not left them, ends it and them with that code at
/// once. Any thread.
void end_ranks(int exit_code);

/// "rank 3: " on a rank that has joined others and is not rank 0, else empty.
std::string name_of_rank();

}  // namespace elmo

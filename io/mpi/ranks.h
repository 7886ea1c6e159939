// Ranks: processes that a launcher (mpirun, srun) started to train one model.
//
// A build without MPI uses io/mpi/alone.cpp instead of io/mpi/ranks.cpp: each process is then rank
// 0 of 1.
#pragma once

#include <memory>
#include <string>

#include "core/train/communicator.h"

namespace elmo {

/// Joins the ranks. A process without a launcher is rank 0 of 1, as is every process of a build
/// without MPI. Called once, on the main thread, which must later call leave_ranks() or
/// end_ranks(). SystemError if the ranks cannot be joined.
std::unique_ptr<Communicator> join_ranks();

/// Number of threads for this rank, at least 1, so that the ranks of one machine together use the
/// processors that they may run on: the threads available to this rank, but at most its share of
/// the processors that these ranks may use together. All ranks call it, after join_ranks().
int threads_of_rank();

/// Returns when all ranks have called it. The communicator of join_ranks() must not be used
/// afterwards.
void leave_ranks();

/// If this process has joined other ranks and not left them, terminates all of them immediately
/// with that exit code. Any thread.
void end_ranks(int exit_code);

/// "rank 3: " on a rank other than 0 that has joined others, else empty.
std::string name_of_rank();

}  // namespace elmo

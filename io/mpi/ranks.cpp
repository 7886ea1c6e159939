#include "io/mpi/ranks.h"

#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "core/error.h"
#include "core/parallel/available_threads.h"
#include "io/mpi/mpi_communicator.h"

namespace elmo {
namespace {

// More processors than Linux supports.
constexpr std::size_t kMaxProcessors = std::size_t{1} << 16;

bool joined() {
  int begun = 0;
  int ended = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  return begun != 0 && ended == 0;
}

/// True if a launcher started this process as one of several. Initializing MPI without a launcher
/// starts a daemon, which a process that trains alone does not need.
bool was_launched() {
  const auto is_set = [](const char* name) { return std::getenv(name) != nullptr; };
  return is_set("OMPI_COMM_WORLD_SIZE") || is_set("PMIX_RANK") || is_set("PMI_RANK");
}

/// Bit mask of the processors that this process may run on.
std::vector<std::uint64_t> allowed_processors() {
  std::vector<std::uint64_t> mask(kMaxProcessors / 64);
  const std::size_t bytes = mask.size() * sizeof(mask[0]);
  if (sched_getaffinity(0, bytes, reinterpret_cast<cpu_set_t*>(mask.data())) != 0) {
    throw SystemError("cannot determine which processors this process may run on");
  }
  return mask;
}

}  // namespace

std::unique_ptr<Communicator> join_ranks() {
  if (!was_launched()) return std::make_unique<LocalCommunicator>();
  int provided = MPI_THREAD_SINGLE;
  check_mpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided), "MPI_Init_thread");
  check_mpi(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  if (provided < MPI_THREAD_SERIALIZED) {
    throw SystemError("this MPI lets only one thread call it; expected MPI_THREAD_SERIALIZED");
  }
  return std::make_unique<MpiCommunicator>(MPI_COMM_WORLD);
}

int threads_of_rank() {
  const int available = available_threads();
  if (!joined()) return available;
  MPI_Comm machine = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine),
            "MPI_Comm_split_type");
  int ranks = 1;
  check_mpi(MPI_Comm_size(machine, &ranks), "MPI_Comm_size");
  std::vector<std::uint64_t> mask = allowed_processors();
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, mask.data(), static_cast<int>(mask.size()), MPI_UINT64_T,
                          MPI_BOR, machine),
            "MPI_Allreduce");
  check_mpi(MPI_Comm_free(&machine), "MPI_Comm_free");
  int processors = 0;
  for (const std::uint64_t bits : mask) processors += std::popcount(bits);
  return std::clamp(processors / ranks, 1, available);
}

void leave_ranks() {
  if (joined()) check_mpi(MPI_Finalize(), "MPI_Finalize");
}

void end_ranks(int exit_code) {
  if (joined()) MPI_Abort(MPI_COMM_WORLD, exit_code);
}

std::string name_of_rank() {
  if (!joined()) return {};
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 0 ? "" : "rank " + std::to_string(rank) + ": ";
}

}  // namespace elmo

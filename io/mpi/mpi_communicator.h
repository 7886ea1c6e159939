// The ranks of an MPI job.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/tensor/aligned.h"
#include "core/train/communicator.h"

namespace elmo {

/// Throws SystemError, naming the call and MPI's reason, unless `code` is MPI_SUCCESS.
void check_mpi(int code, const std::string& call);

/// Sums go as slices to the ranks that add them up (alltoall), and from there to all (allgather):
/// each number crosses the network twice, whatever the number of ranks. MPI's own reductions add in
/// an order that is not specified. It waits asleep, so that a thread which computes on the same
/// core meanwhile has it. Errors: SystemError with MPI's reason.
class MpiCommunicator final : public Communicator {
 public:
  /// `ranks` has to return errors, and to outlive it.
  explicit MpiCommunicator(MPI_Comm ranks);

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void sum(std::span<const std::span<float>> arrays) override;
  void sum(std::span<double> numbers) override;
  void broadcast(std::span<std::byte> bytes) override;
  void gather(std::span<const float> numbers, std::span<float> all) override;

 private:
  /// Part of an array, which is summed at once.
  struct Block {
    std::span<float> numbers;
    std::vector<int> counts;        // of each rank's slice
    std::vector<int> places;        // of the slices in the block
    std::vector<int> sent_counts;   // the same, except the own slice, which stays
    std::vector<int> other_counts;  // of the own slice, as each other rank sends it
    std::vector<int> other_places;  // of these in `received`
    AlignedVector<float> received;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  Block make_block(std::span<float> numbers);
  void scatter(Block& block);
  void add_up(Block& block) const;
  void collect(Block& block);

  MPI_Comm ranks_;
  int rank_ = 0;
  int size_ = 1;
  std::vector<AlignedVector<float>> spare_;  // what blocks have received into, to be used again
};

}  // namespace elmo

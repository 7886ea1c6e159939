// Communicator between the ranks of an MPI job.
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

/// To sum, each rank receives a slice from all ranks, adds it up (alltoall) and sends it to all
/// (allgather): each number crosses the network twice, whatever the number of ranks. MPI's own
/// reductions are not used, because they add in an unspecified order. Waiting sleeps, so that a
/// computing thread can use the core meanwhile. Errors: SystemError with MPI's reason.
class MpiCommunicator final : public Communicator {
 public:
  /// `ranks` must be set to return errors, and must outlive this object.
  explicit MpiCommunicator(MPI_Comm ranks);

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void sum(std::span<const std::span<float>> arrays) override;
  void sum(std::span<double> numbers) override;
  void broadcast(std::span<std::byte> bytes) override;
  void gather(std::span<const float> numbers, std::span<float> all) override;

 private:
  /// Part of an array that is summed at once.
  struct Block {
    std::span<float> numbers;
    std::vector<int> counts;        // size of each rank's slice
    std::vector<int> places;        // offset of each slice in the block
    std::vector<int> sent_counts;   // like counts, but 0 for the own slice, which is not sent
    std::vector<int> other_counts;  // size of the own slice from each other rank
    std::vector<int> other_places;  // offsets of these in `received`
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
  std::vector<AlignedVector<float>> spare_;  // receive buffers of finished blocks, for reuse
};

}  // namespace elmo

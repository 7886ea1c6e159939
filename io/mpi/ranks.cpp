#include "io/mpi/ranks.h"

#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <limits>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/kernels/optimizer_kernels.h"
#include "core/matrix.h"
#include "core/resources.h"

namespace elmo {
namespace {

// Numbers per block: enough to hide the network's latency; few enough to limit the receive buffers,
// and to sum one block while the next is in transit.
constexpr std::size_t kBlock = std::size_t{1} << 20;

// Maximum number of blocks in transit.
constexpr std::size_t kBlocksUnderWay = 4;

// MPI counts are int.
constexpr std::size_t kMaxBytes = std::size_t{1} << 30;

/// Sleeps between polls, longer after more polls.
class Patience {
 public:
  void wait() {
    if (++looks_ < kEager) return;
    std::this_thread::sleep_for(sleep_);
    sleep_ = std::min<std::chrono::microseconds>(sleep_ + sleep_ / 16, kLongest);
  }

 private:
  static constexpr int kEager = 16;
  static constexpr std::chrono::microseconds kLongest{200};
  int looks_ = 0;
  std::chrono::microseconds sleep_{20};
};

/// Throws SystemError, naming the call and MPI's reason, unless `code` is MPI_SUCCESS.
void check_mpi(int code, const std::string& call) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> reason{};
  int length = 0;
  MPI_Error_string(code, reason.data(), &length);
  throw SystemError("the ranks lost each other: " + call + ": " +
                    std::string(reason.data(), static_cast<std::size_t>(length)));
}

void wait_for(MPI_Request& request) {
  Patience patience;
  while (true) {
    int done = 0;
    check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0) return;
    patience.wait();
  }
}

int count_of(std::size_t size) {
  if (size > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw SystemError("MPI cannot take " + std::to_string(size) + " numbers at once");
  }
  return static_cast<int>(size);
}

/// To sum, each rank receives a slice from all ranks, adds it up (alltoall) and sends it to all
/// (allgather): each number crosses the network twice, whatever the number of ranks. MPI's own
/// reductions are not used, because they add in an unspecified order. Waiting sleeps, so that a
/// computing thread can use the core meanwhile. Errors: SystemError with MPI's reason.
class MpiCommunicator final : public Communicator {
 public:
  /// `ranks` must be set to return errors, and must outlive this object.
  explicit MpiCommunicator(MPI_Comm ranks) : ranks_(ranks) {
    check_mpi(MPI_Comm_rank(ranks_, &rank_), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(ranks_, &size_), "MPI_Comm_size");
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void sum(std::span<const std::span<float>> arrays) override {
    // A deque, because MPI keeps pointers into blocks in transit.
    std::deque<Block> scattered;
    std::deque<Block> collected;
    const auto advance = [&] {
      Block& block = scattered.front();
      wait_for(block.request);
      add_up(block);
      spare_.push_back(std::move(block.received));
      collect(block);
      collected.push_back(std::move(block));
      scattered.pop_front();
    };
    for (std::span<float> rest : arrays) {
      while (!rest.empty()) {
        const std::size_t size = std::min(kBlock, rest.size());
        if (scattered.size() == kBlocksUnderWay) advance();
        scattered.push_back(make_block(rest.first(size)));
        scatter(scattered.back());
        rest = rest.subspan(size);
      }
    }
    while (!scattered.empty()) advance();
    for (Block& block : collected) wait_for(block.request);
  }

  void sum(std::span<double> numbers) override {
    const std::size_t count = numbers.size();
    std::vector<double> all(count * static_cast<std::size_t>(size_));
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Iallgather(numbers.data(), count_of(count), MPI_DOUBLE, all.data(),
                             count_of(count), MPI_DOUBLE, ranks_, &request),
              "MPI_Iallgather");
    wait_for(request);
    for (std::size_t i = 0; i < count; ++i) {
      numbers[i] = all[i];
      for (std::size_t rank = 1; rank < static_cast<std::size_t>(size_); ++rank) {
        numbers[i] += all[rank * count + i];
      }
    }
  }

  void broadcast(std::span<std::byte> bytes) override {
    while (!bytes.empty()) {
      const std::span<std::byte> part = bytes.first(std::min(kMaxBytes, bytes.size()));
      MPI_Request request = MPI_REQUEST_NULL;
      check_mpi(MPI_Ibcast(part.data(), count_of(part.size()), MPI_BYTE, 0, ranks_, &request),
                "MPI_Ibcast");
      wait_for(request);
      bytes = bytes.subspan(part.size());
    }
  }

  void gather(std::span<const float> numbers, std::span<float> all) override {
    const int count = count_of(numbers.size());
    std::vector<int> counts(static_cast<std::size_t>(size_));
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Igather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, ranks_, &request),
              "MPI_Igather");
    wait_for(request);
    std::vector<int> offsets(counts.size());
    std::size_t offset = 0;
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
      offsets[rank] = count_of(offset);
      offset += static_cast<std::size_t>(counts[rank]);
    }
    check_mpi(MPI_Igatherv(numbers.data(), count, MPI_FLOAT, all.data(), counts.data(),
                           offsets.data(), MPI_FLOAT, 0, ranks_, &request),
              "MPI_Igatherv");
    wait_for(request);
  }

 private:
  /// Part of an array that is summed at once.
  struct Block {
    std::span<float> numbers;
    std::vector<int> counts;         // size of each rank's slice
    std::vector<int> offsets;        // offset of each slice in the block
    std::vector<int> sent_counts;    // like counts, but 0 for the own slice, which is not sent
    std::vector<int> other_counts;   // size of the own slice from each other rank
    std::vector<int> other_offsets;  // offsets of these in `received`
    AlignedVector<float> received;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  Block make_block(std::span<float> numbers) {
    Block block;
    block.numbers = numbers;
    const auto ranks = static_cast<std::size_t>(size_);
    const auto own = static_cast<std::size_t>(rank_);
    const auto begin = [&](std::size_t rank) { return rank * numbers.size() / ranks; };
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      block.offsets.push_back(count_of(begin(rank)));
      block.counts.push_back(count_of(begin(rank + 1) - begin(rank)));
    }
    block.sent_counts = block.counts;
    block.sent_counts[own] = 0;
    block.other_counts.assign(ranks, block.counts[own]);
    block.other_counts[own] = 0;
    for (int rank = 0; rank < size_; ++rank) {
      block.other_offsets.push_back(rank * block.counts[own]);
    }
    if (!spare_.empty()) {
      block.received = std::move(spare_.back());
      spare_.pop_back();
    }
    grow(block.received, std::int64_t{size_} * block.counts[own]);
    return block;
  }

  void scatter(Block& block) {
    check_mpi(MPI_Ialltoallv(block.numbers.data(), block.sent_counts.data(), block.offsets.data(),
                             MPI_FLOAT, block.received.data(), block.other_counts.data(),
                             block.other_offsets.data(), MPI_FLOAT, ranks_, &block.request),
              "MPI_Ialltoallv");
  }

  // ((x0 + x1) + x2) + …. The first two may be added in either order, with the same result.
  void add_up(Block& block) const {
    const std::int64_t count = block.counts[static_cast<std::size_t>(rank_)];
    float* own = block.numbers.data() + block.offsets[static_cast<std::size_t>(rank_)];
    const auto of_rank = [&](int rank) {
      return rank == rank_ ? own : block.received.data() + rank * count;
    };
    float* sums = rank_ < 2 ? own : of_rank(0);
    for (int rank = 0; rank < size_; ++rank) {
      if (of_rank(rank) != sums) add(of_rank(rank), count, sums);
    }
    if (sums != own) std::copy_n(sums, count, own);
  }

  void collect(Block& block) {
    check_mpi(MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, block.numbers.data(),
                              block.counts.data(), block.offsets.data(), MPI_FLOAT, ranks_,
                              &block.request),
              "MPI_Iallgatherv");
  }

  MPI_Comm ranks_;
  int rank_ = 0;
  int size_ = 1;
  std::vector<AlignedVector<float>> spare_;  // receive buffers of finished blocks, for reuse
};

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

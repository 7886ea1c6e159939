#include "io/mpi/mpi_communicator.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <limits>
#include <thread>
#include <utility>

#include "core/error.h"
#include "core/kernels/optimizer_kernels.h"

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

}  // namespace

void check_mpi(int code, const std::string& call) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> reason{};
  int length = 0;
  MPI_Error_string(code, reason.data(), &length);
  throw SystemError("the ranks lost each other: " + call + ": " +
                    std::string(reason.data(), static_cast<std::size_t>(length)));
}

MpiCommunicator::MpiCommunicator(MPI_Comm ranks) : ranks_(ranks) {
  check_mpi(MPI_Comm_rank(ranks_, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(ranks_, &size_), "MPI_Comm_size");
}

MpiCommunicator::Block MpiCommunicator::make_block(std::span<float> numbers) {
  Block block;
  block.numbers = numbers;
  const auto ranks = static_cast<std::size_t>(size_);
  const auto own = static_cast<std::size_t>(rank_);
  const auto begin = [&](std::size_t rank) { return rank * numbers.size() / ranks; };
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    block.places.push_back(count_of(begin(rank)));
    block.counts.push_back(count_of(begin(rank + 1) - begin(rank)));
  }
  block.sent_counts = block.counts;
  block.sent_counts[own] = 0;
  block.other_counts.assign(ranks, block.counts[own]);
  block.other_counts[own] = 0;
  for (int rank = 0; rank < size_; ++rank) {
    block.other_places.push_back(rank * block.counts[own]);
  }
  if (!spare_.empty()) {
    block.received = std::move(spare_.back());
    spare_.pop_back();
  }
  grow(block.received, std::int64_t{size_} * block.counts[own]);
  return block;
}

void MpiCommunicator::scatter(Block& block) {
  check_mpi(MPI_Ialltoallv(block.numbers.data(), block.sent_counts.data(), block.places.data(),
                           MPI_FLOAT, block.received.data(), block.other_counts.data(),
                           block.other_places.data(), MPI_FLOAT, ranks_, &block.request),
            "MPI_Ialltoallv");
}

// ((x0 + x1) + x2) + …. The first two may be added in either order, with the same result.
void MpiCommunicator::add_up(Block& block) const {
  const std::int64_t count = block.counts[static_cast<std::size_t>(rank_)];
  float* own = block.numbers.data() + block.places[static_cast<std::size_t>(rank_)];
  const auto of_rank = [&](int rank) {
    return rank == rank_ ? own : block.received.data() + rank * count;
  };
  float* sums = rank_ < 2 ? own : of_rank(0);
  for (int rank = 0; rank < size_; ++rank) {
    if (of_rank(rank) != sums) add(of_rank(rank), count, sums);
  }
  if (sums != own) std::copy_n(sums, count, own);
}

void MpiCommunicator::collect(Block& block) {
  check_mpi(
      MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, block.numbers.data(), block.counts.data(),
                      block.places.data(), MPI_FLOAT, ranks_, &block.request),
      "MPI_Iallgatherv");
}

void MpiCommunicator::sum(std::span<const std::span<float>> arrays) {
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

void MpiCommunicator::sum(std::span<double> numbers) {
  const std::size_t count = numbers.size();
  std::vector<double> all(count * static_cast<std::size_t>(size_));
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallgather(numbers.data(), count_of(count), MPI_DOUBLE, all.data(), count_of(count),
                           MPI_DOUBLE, ranks_, &request),
            "MPI_Iallgather");
  wait_for(request);
  for (std::size_t i = 0; i < count; ++i) {
    numbers[i] = all[i];
    for (std::size_t rank = 1; rank < static_cast<std::size_t>(size_); ++rank) {
      numbers[i] += all[rank * count + i];
    }
  }
}

void MpiCommunicator::broadcast(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const std::span<std::byte> part = bytes.first(std::min(kMaxBytes, bytes.size()));
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Ibcast(part.data(), count_of(part.size()), MPI_BYTE, 0, ranks_, &request),
              "MPI_Ibcast");
    wait_for(request);
    bytes = bytes.subspan(part.size());
  }
}

void MpiCommunicator::gather(std::span<const float> numbers, std::span<float> all) {
  const int count = count_of(numbers.size());
  std::vector<int> counts(static_cast<std::size_t>(size_));
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Igather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, ranks_, &request),
            "MPI_Igather");
  wait_for(request);
  std::vector<int> places(counts.size());
  std::size_t place = 0;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    places[rank] = count_of(place);
    place += static_cast<std::size_t>(counts[rank]);
  }
  check_mpi(MPI_Igatherv(numbers.data(), count, MPI_FLOAT, all.data(), counts.data(), places.data(),
                         MPI_FLOAT, 0, ranks_, &request),
            "MPI_Igatherv");
  wait_for(request);
}

}  // namespace elmo

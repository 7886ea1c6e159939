// Ranks that are threads of one process.
#pragma once

#include <algorithm>
#include <barrier>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <thread>
#include <vector>

#include "core/train/communicator.h"

namespace elmo {

/// State shared by the ranks of one process.
class Meeting {
 public:
  explicit Meeting(int ranks) : size(ranks), bytes(static_cast<std::size_t>(ranks)), all(ranks) {}

  const int size;
  std::vector<std::vector<std::byte>> bytes;  ///< contribution of each rank
  std::barrier<> all;
};

class ThreadCommunicator final : public Communicator {
 public:
  ThreadCommunicator(Meeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return meeting_.size; }

  void sum(std::span<const std::span<float>> arrays) override {
    ++sums;
    std::vector<float> numbers;
    for (const std::span<float> array : arrays) {
      numbers.insert(numbers.end(), array.begin(), array.end());
    }
    add(std::span<float>(numbers));
    auto from = numbers.begin();
    for (const std::span<float> array : arrays) {
      std::copy_n(from, array.size(), array.begin());
      from += static_cast<std::ptrdiff_t>(array.size());
    }
  }
  void sum(std::span<double> numbers) override { add(numbers); }

  void broadcast(std::span<std::byte> bytes) override {
    give(std::as_bytes(bytes));
    std::copy_n(meeting_.bytes[0].begin(), bytes.size(), bytes.begin());
    meeting_.all.arrive_and_wait();
  }

  void gather(std::span<const float> numbers, std::span<float> all) override {
    give(std::as_bytes(numbers));
    if (rank_ == 0) {
      auto to = std::as_writable_bytes(all).begin();
      for (const auto& one : meeting_.bytes) to = std::copy(one.begin(), one.end(), to);
    }
    meeting_.all.arrive_and_wait();
  }

  int sums = 0;  ///< number of summed arrays

 private:
  void give(std::span<const std::byte> bytes) {
    meeting_.bytes[static_cast<std::size_t>(rank_)].assign(bytes.begin(), bytes.end());
    meeting_.all.arrive_and_wait();
  }

  template <typename Number>
  void add(std::span<Number> values) {
    give(std::as_bytes(values));
    std::fill(values.begin(), values.end(), Number{});
    for (const std::vector<std::byte>& one : meeting_.bytes) {
      const auto* numbers = reinterpret_cast<const Number*>(one.data());
      for (std::size_t i = 0; i < values.size(); ++i) values[i] += numbers[i];
    }
    meeting_.all.arrive_and_wait();
  }

  Meeting& meeting_;
  int rank_;
};

/// Runs `work` on a thread per rank and waits for all of them.
inline void run_ranks(int ranks, const std::function<void(int rank)>& work) {
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < ranks; ++rank) threads.emplace_back([&work, rank] { work(rank); });
}

}  // namespace elmo

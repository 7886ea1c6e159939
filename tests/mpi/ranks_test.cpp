// Run by mpirun with any number of ranks. Each rank runs the same checks, and all must pass.
#define DOCTEST_CONFIG_IMPLEMENT
#include "io/mpi/ranks.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "core/model/parameters.h"
#include "core/resources.h"
#include "core/train/communicator.h"
#include "tests/fixtures/models.h"

namespace elmo {
namespace {

std::unique_ptr<Communicator> communicator;

Communicator& ranks() { return *communicator; }

std::mt19937_64 engine_of(int rank, std::uint64_t seed) {
  return std::mt19937_64(seed * 1000 + static_cast<std::uint64_t>(rank));
}

/// Returns the numbers of a rank. Their sizes differ so much that the order of a sum shows.
std::vector<float> numbers_of(int rank, std::size_t size, std::uint64_t seed) {
  std::mt19937_64 engine = engine_of(rank, seed);
  std::vector<float> numbers(size);
  for (float& number : numbers) {
    number = (static_cast<float>(engine() >> 40U) * 0x1p-24F - 0.5F) *
             static_cast<float>(1U << (engine() % 24));
  }
  return numbers;
}

/// Returns their sum in the order of the ranks.
std::vector<float> sum_of(std::size_t size, std::uint64_t seed) {
  std::vector<float> sum = numbers_of(0, size, seed);
  for (int rank = 1; rank < ranks().size(); ++rank) {
    const std::vector<float> more = numbers_of(rank, size, seed);
    for (std::size_t i = 0; i < size; ++i) sum[i] += more[i];
  }
  return sum;
}

TEST_CASE("sums are added in rank order, to the last bit") {
  const std::size_t block = std::size_t{1} << 20;
  const std::vector<std::vector<std::size_t>> cases{
      {0}, {1}, {2, 0, 1}, {1000, 7, 1000}, {block - 1, block, block + 1}, {7 * block + 12345, 3}};
  std::uint64_t seed = 0;
  for (const std::vector<std::size_t>& sizes : cases) {
    std::vector<std::vector<float>> arrays;
    std::vector<std::span<float>> spans;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      arrays.push_back(numbers_of(ranks().rank(), sizes[i], seed + i));
    }
    for (std::vector<float>& array : arrays) spans.emplace_back(array);
    ranks().sum(spans);
    for (std::size_t i = 0; i < sizes.size(); ++i) CHECK(arrays[i] == sum_of(sizes[i], seed + i));
    seed += sizes.size();
  }
}

TEST_CASE("a few numbers are summed in rank order too") {
  std::array<double, 3> numbers{};
  std::array<double, 3> sums{};
  for (int rank = 0; rank < ranks().size(); ++rank) {
    std::mt19937_64 engine = engine_of(rank, 5);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const double number = static_cast<double>(engine()) * (i == 1 ? 1e-17 : 1.0);
      if (rank == ranks().rank()) numbers[i] = number;
      sums[i] = rank == 0 ? number : sums[i] + number;
    }
  }
  ranks().sum(numbers);
  CHECK(numbers == sums);
}

TEST_CASE("rank 0's bytes come to all ranks") {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{5'000'000}}) {
    std::vector<float> numbers = numbers_of(ranks().rank(), size, 9);
    broadcast(ranks(), std::span<float>(numbers));
    CHECK(numbers == numbers_of(0, size, 9));
  }
}

TEST_CASE("rank 0 gathers different counts from the ranks") {
  const auto size_of = [](int rank) { return static_cast<std::size_t>(1 + 3 * rank); };
  std::vector<float> expected;
  for (int rank = 0; rank < ranks().size(); ++rank) {
    const std::vector<float> one = numbers_of(rank, size_of(rank), 4);
    expected.insert(expected.end(), one.begin(), one.end());
  }
  std::vector<float> all(ranks().rank() == 0 ? expected.size() : 0);
  ranks().gather(numbers_of(ranks().rank(), size_of(ranks().rank()), 4), all);
  if (ranks().rank() == 0) CHECK(all == expected);
}

TEST_CASE("gradients are summed while others are computed") {
  Parameters parameters(small_options());
  std::vector<std::vector<Parameter*>> groups;
  for (Parameter& parameter : parameters.all()) groups.push_back({&parameter});
  GradientExchange exchange(ranks(), groups);
  for (std::uint64_t step = 0; step < 20; ++step) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const auto numbers = numbers_of(ranks().rank(), parameters[i].size(), step * 100 + i);
      parameters[i].gradient.assign(numbers.begin(), numbers.end());
    }
    exchange.begin(step);
    const GradientReady ready = exchange.on_ready();
    for (std::size_t i = groups.size(); i-- > 0 && ready;) ready(parameters[i]);
    exchange.finish();
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const auto sum = sum_of(parameters[i].size(), step * 100 + i);
      CHECK(parameters[i].gradient == AlignedVector<float>(sum.begin(), sum.end()));
    }
  }
}

TEST_CASE("a rank computes with at least one thread and no more than there are") {
  CHECK(threads_of_rank() >= 1);
  CHECK(threads_of_rank() <= available_threads());
}

TEST_CASE("ranks have names except the first") {
  CHECK(name_of_rank().empty() == (ranks().rank() == 0));
}

}  // namespace
}  // namespace elmo

int main(int argc, char** argv) {
  elmo::communicator = elmo::join_ranks();
  const int code = doctest::Context(argc, argv).run();
  if (code != 0) elmo::end_ranks(code);
  elmo::leave_ranks();
  return code;
}

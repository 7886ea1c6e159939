#include "core/train/communicator.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "core/error.h"
#include "tests/core/train/rank_threads.h"

namespace elmo {
namespace {

TEST_CASE("a single rank's sums are its own numbers") {
  LocalCommunicator local;
  CHECK(local.rank() == 0);
  CHECK(local.size() == 1);
  std::vector<float> numbers{1.0F, 2.0F};
  const std::array<std::span<float>, 1> arrays{numbers};
  local.sum(arrays);
  CHECK(numbers == std::vector<float>{1.0F, 2.0F});
  std::vector<float> all(2);
  local.gather(numbers, all);
  CHECK(all == numbers);
}

/// Parameters of a few shapes, one with touched rows, in groups.
struct Gradients {
  explicit Gradients(float value = 0.0F) {
    parameters[3].touched = {2, 3, 5};
    fill(value);
  }
  void fill(float value) {
    for (Parameter& parameter : parameters) {
      parameter.gradient.assign(parameter.gradient_size(), value);
    }
  }
  std::vector<std::vector<Parameter*>> groups() {
    return {{&parameters[0], &parameters[1]}, {&parameters[2]}, {&parameters[3], &parameters[4]}};
  }

  std::array<Parameter, 5> parameters{Parameter("a", {2, 3}), Parameter("b", {7}),
                                      Parameter("c", {1}), Parameter("rows", {9, 2}),
                                      Parameter("d", {4})};
};

TEST_CASE("gradients are summed over ranks, in whichever order each rank finishes them") {
  constexpr int kRanks = 3;
  Meeting meeting(kRanks);
  const std::uint64_t seed = std::random_device()();
  CAPTURE(seed);
  run_ranks(kRanks, [&](int rank) {
    ThreadCommunicator communicator(meeting, rank);
    Gradients gradients;
    GradientExchange exchange(communicator, gradients.groups());
    std::mt19937_64 engine(seed + static_cast<std::uint64_t>(rank));
    for (std::uint64_t step = 0; step < 8; ++step) {
      gradients.fill(static_cast<float>(rank) + static_cast<float>(step));
      std::vector<const Parameter*> order;
      for (const Parameter& parameter : gradients.parameters) order.push_back(&parameter);
      std::shuffle(order.begin(), order.end(), engine);
      exchange.begin(step);
      const GradientReady ready = exchange.on_ready();
      for (const Parameter* parameter : order) ready(*parameter);
      exchange.finish();
      const float sum = 3.0F * static_cast<float>(step) + 3.0F;
      for (const Parameter& parameter : gradients.parameters) {
        CHECK(parameter.gradient == AlignedVector<float>(parameter.gradient_size(), sum));
      }
    }
    CHECK(communicator.sums == 8 * 3);  // in groups
  });
}

TEST_CASE("gradients of frozen parameters are neither waited for nor summed") {
  constexpr int kRanks = 2;
  Meeting meeting(kRanks);
  run_ranks(kRanks, [&](int rank) {
    ThreadCommunicator communicator(meeting, rank);
    Gradients gradients(1.0F);
    for (Parameter& parameter : gradients.parameters) parameter.frozen_steps = 1;
    Parameter& trained = gradients.parameters[4];
    trained.frozen_steps = 0;
    GradientExchange exchange(communicator, gradients.groups());
    exchange.begin(0);
    exchange.on_ready()(trained);
    exchange.finish();
    CHECK(communicator.sums == 1);
    CHECK(trained.gradient == AlignedVector<float>(4, 2.0F));
    CHECK(gradients.parameters[3].gradient[0] == 1.0F);
    exchange.begin(1);
    for (const Parameter& parameter : gradients.parameters) exchange.on_ready()(parameter);
    exchange.finish();
    CHECK(gradients.parameters[3].gradient[0] == 2.0F);
  });
}

TEST_CASE("a single process reports no gradients") {
  LocalCommunicator local;
  Gradients gradients(1.0F);
  GradientExchange exchange(local, gradients.groups());
  exchange.begin(0);
  CHECK_FALSE(exchange.on_ready());
  exchange.finish();
  CHECK(gradients.parameters[0].gradient[0] == 1.0F);
}

/// Two ranks; this one loses the other.
class LostCommunicator final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 2; }
  void sum(std::span<const std::span<float>>) override { throw SystemError("the other is lost"); }
  void sum(std::span<double>) override {}
  void broadcast(std::span<std::byte>) override {}
  void gather(std::span<const float>, std::span<float>) override {}
};

TEST_CASE("an exception of the communicator ends the step, and a step may be abandoned") {
  LostCommunicator lost;
  Gradients gradients(1.0F);
  GradientExchange exchange(lost, gradients.groups());
  exchange.begin(0);
  for (const Parameter& parameter : gradients.parameters) exchange.on_ready()(parameter);
  CHECK_THROWS_WITH_AS(exchange.finish(), "the other is lost", SystemError);

  GradientExchange given_up(lost, gradients.groups());
  given_up.begin(0);
}

}  // namespace

}  // namespace elmo

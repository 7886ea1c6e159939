#include "core/train/gradient_exchange.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "core/error.h"
#include "tests/core/train/rank_threads.h"
#include "tests/fixtures/models.h"

namespace elmo {
namespace {

Gradients gradients_of(const Parameters& parameters, float value) {
  Gradients gradients;
  for (const ModelParameter& parameter : parameters.all()) {
    gradients.parameters.emplace_back(parameter.values.size(), value);
  }
  gradients.softmax.rows = {2, 3, 5};
  gradients.softmax.weights.assign(6, 10.0F * value);
  gradients.softmax.bias.assign(3, 100.0F * value);
  return gradients;
}

TEST_CASE("gradients are summed over ranks, in whichever order each has finished them") {
  constexpr int kRanks = 3;
  const Parameters parameters(small_options());
  const std::size_t count = parameters.all().size();
  Meeting meeting(kRanks);
  const std::uint64_t seed = std::random_device()();
  CAPTURE(seed);
  run_ranks(kRanks, [&](int rank) {
    ThreadCommunicator communicator(meeting, rank);
    GradientExchange exchange(communicator, parameters.index(), count);
    std::mt19937_64 engine(seed + static_cast<std::uint64_t>(rank));
    for (int step = 0; step < 8; ++step) {
      Gradients gradients = gradients_of(parameters, static_cast<float>(rank + step));
      std::vector<std::size_t> order;
      for (std::size_t i = 0; i <= count; ++i) order.push_back(i);
      std::shuffle(order.begin(), order.end(), engine);
      exchange.begin(gradients, false);
      const GradientReady ready = exchange.on_ready();
      for (const std::size_t gradient : order) ready(gradient);
      exchange.finish();
      const float sum = 3.0F * static_cast<float>(step) + 3.0F;
      for (std::size_t i = 0; i < count; ++i) {
        CHECK(gradients.parameters[i] == AlignedVector<float>(parameters[i].values.size(), sum));
      }
      CHECK(gradients.softmax.weights == AlignedVector<float>(6, 10.0F * sum));
      CHECK(gradients.softmax.bias == AlignedVector<float>(3, 100.0F * sum));
    }
    CHECK(communicator.sums < 8 * static_cast<int>(count));  // in groups
  });
}

TEST_CASE("while the biLM is frozen, only the softmax's gradient is summed") {
  constexpr int kRanks = 2;
  const Parameters parameters(small_options());
  Meeting meeting(kRanks);
  run_ranks(kRanks, [&](int rank) {
    ThreadCommunicator communicator(meeting, rank);
    GradientExchange exchange(communicator, parameters.index(), parameters.all().size());
    Gradients gradients = gradients_of(parameters, 1.0F);
    exchange.begin(gradients, true);
    exchange.on_ready()(parameters.all().size());
    exchange.finish();
    CHECK(communicator.sums == 1);
    CHECK(gradients.softmax.bias == AlignedVector<float>(3, 200.0F));
    CHECK(gradients.parameters[0][0] == 1.0F);
  });
}

TEST_CASE("alone, nobody has to be told of gradients") {
  const Parameters parameters(small_options());
  LocalCommunicator local;
  GradientExchange exchange(local, parameters.index(), parameters.all().size());
  Gradients gradients = gradients_of(parameters, 1.0F);
  exchange.begin(gradients, false);
  CHECK_FALSE(exchange.on_ready());
  exchange.finish();
  CHECK(gradients.parameters[0][0] == 1.0F);
}

/// Two ranks of which this one loses the other.
class LostCommunicator final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 2; }
  void sum(std::span<const std::span<float>>) override { throw SystemError("the other is lost"); }
  void sum(std::span<double>) override {}
  void broadcast(std::span<std::byte>) override {}
  void gather(std::span<const float>, std::span<float>) override {}
};

TEST_CASE("what the communicator throws ends the step; a step may be given up, too") {
  const Parameters parameters(small_options());
  LostCommunicator lost;
  Gradients gradients = gradients_of(parameters, 1.0F);
  GradientExchange exchange(lost, parameters.index(), parameters.all().size());
  exchange.begin(gradients, true);
  exchange.on_ready()(parameters.all().size());
  CHECK_THROWS_WITH_AS(exchange.finish(), "the other is lost", SystemError);

  GradientExchange given_up(lost, parameters.index(), parameters.all().size());
  given_up.begin(gradients, false);
}

}  // namespace
}  // namespace elmo

#include "core/train/communicator.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <barrier>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "core/train/gradient_sum.h"
#include "tests/core/train/little_training.h"

namespace elmo {
namespace {

/// What ranks in one process share.
struct Meeting {
  explicit Meeting(int ranks)
      : size(ranks),
        floats(static_cast<std::size_t>(ranks)),
        doubles(floats.size()),
        numbers(floats.size()),
        all(ranks) {}
  int size;
  std::vector<std::vector<float>> floats;
  std::vector<std::vector<double>> doubles;
  std::vector<std::vector<std::int32_t>> numbers;
  std::barrier<> all;
};

/// Ranks that are threads.
class ThreadCommunicator final : public Communicator {
 public:
  ThreadCommunicator(Meeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return meeting_.size; }
  void sum(std::span<float> values) override { add(values, meeting_.floats); }
  void sum(std::span<double> values) override { add(values, meeting_.doubles); }
  std::vector<std::int32_t> gather(std::span<const std::int32_t> numbers) override {
    meeting_.numbers[static_cast<std::size_t>(rank_)].assign(numbers.begin(), numbers.end());
    meeting_.all.arrive_and_wait();
    std::vector<std::int32_t> result;
    for (const auto& one : meeting_.numbers) result.insert(result.end(), one.begin(), one.end());
    meeting_.all.arrive_and_wait();
    return result;
  }

 private:
  template <typename Number>
  void add(std::span<Number> values, std::vector<std::vector<Number>>& shared) {
    shared[static_cast<std::size_t>(rank_)].assign(values.begin(), values.end());
    meeting_.all.arrive_and_wait();
    std::fill(values.begin(), values.end(), Number{});
    for (const std::vector<Number>& one : shared) {
      for (std::size_t i = 0; i < values.size(); ++i) values[i] += one[i];
    }
    meeting_.all.arrive_and_wait();
  }

  Meeting& meeting_;
  int rank_;
};

Gradients gradients_of(std::vector<std::int32_t> rows, float value) {
  Gradients gradients;
  gradients.parameters.push_back(AlignedVector<float>(4, value));
  gradients.softmax.weights.assign(rows.size() * 2, value);
  gradients.softmax.bias.assign(rows.size(), 10.0F * value);
  gradients.softmax.rows = std::move(rows);
  return gradients;
}

TEST_CASE("alone, a rank's sums are its own numbers") {
  LocalCommunicator local;
  CHECK(local.rank() == 0);
  CHECK(local.size() == 1);
  BatchLoss loss{1.0, 2.0};
  Gradients gradients = gradients_of({1, 5}, 3.0F);
  sum_over_ranks(local, 2, loss, gradients);
  CHECK(loss.backward == 2.0);
  CHECK(gradients.softmax.rows == std::vector<std::int32_t>{1, 5});
  CHECK(gradients.softmax.weights == AlignedVector<float>(4, 3.0F));
}

TEST_CASE("gradients are summed over ranks, and rows that any of them touched are touched") {
  Meeting meeting(2);
  BatchLoss losses[2] = {{1.0, 2.0}, {10.0, 20.0}};
  Gradients gradients[2] = {gradients_of({1, 5}, 1.0F), gradients_of({0, 5, 7}, 2.0F)};
  {
    std::vector<std::jthread> ranks;
    for (const int rank : {0, 1}) {
      ranks.emplace_back([&, rank] {
        ThreadCommunicator communicator(meeting, rank);
        sum_over_ranks(communicator, 2, losses[rank], gradients[rank]);
      });
    }
  }
  for (const int rank : {0, 1}) {
    CAPTURE(rank);
    CHECK(losses[rank].forward == 11.0);
    CHECK(losses[rank].backward == 22.0);
    CHECK(gradients[rank].parameters[0] == AlignedVector<float>(4, 3.0F));
    const SoftmaxGradient& softmax = gradients[rank].softmax;
    CHECK(softmax.rows == std::vector<std::int32_t>{0, 1, 5, 7});
    CHECK(softmax.weights == AlignedVector<float>{2, 2, 1, 1, 3, 3, 2, 2});
    CHECK(softmax.bias == AlignedVector<float>{20, 10, 30, 20});
  }
}

TEST_CASE("two ranks with the same lanes train as one alone does, bit for bit") {
  const LittleCorpus words;
  const Corpus corpus = words.view();
  const TrainingOptions options = mixed(Optimizer::adam);
  Trainer alone = make_trainer(words, corpus, small_options(), options);
  Meeting meeting(2);
  std::vector<std::unique_ptr<Trainer>> trainers;
  for (const int rank : {0, 1}) {
    Start start = make_start(small_options(), words, 1);
    trainers.push_back(std::make_unique<Trainer>(
        small_options(), options, std::move(start.parameters), std::move(start.softmax), corpus,
        std::make_unique<ThreadCommunicator>(meeting, rank)));
  }
  for (int step = 0; step < 5; ++step) {
    const StepResult expected = alone.step();
    StepResult found[2];
    {
      std::vector<std::jthread> ranks;
      for (const std::size_t rank : {0U, 1U}) {
        ranks.emplace_back([&, rank] { found[rank] = trainers[rank]->step(); });
      }
    }
    for (const StepResult& result : found) {
      CHECK(result.loss[0] == expected.loss[0]);
      CHECK(result.gradient_norm == expected.gradient_norm);
      CHECK(result.tokens == 2 * expected.tokens);
    }
  }
  for (const auto& trainer : trainers) {
    CHECK(copy_of(trainer->parameters()) == copy_of(alone.parameters()));
    CHECK(trainer->softmax().weights == alone.softmax().weights);
  }
}

}  // namespace
}  // namespace elmo

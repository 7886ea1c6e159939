#include "core/train/bilm/softmax_pass.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tests/core/tolerances.h"

namespace elmo {
namespace {

double probability(std::int64_t row, std::int64_t vocabulary) {
  return (std::log(static_cast<double>(row) + 2.0) - std::log(static_cast<double>(row) + 1.0)) /
         std::log(static_cast<double>(vocabulary) + 1.0);
}

TEST_CASE("samples are distinct, ascending rows of the vocabulary") {
  for (const std::int64_t vocabulary : {2, 64, 65, 1000, 800000}) {
    const std::int64_t samples = std::min<std::int64_t>(vocabulary - 1, 8192);
    for (std::uint64_t step = 0; step < 5; ++step) {
      const NegativeSample sample = draw_negatives(vocabulary, samples, 3, step);
      CAPTURE(vocabulary);
      REQUIRE(sample.ids.size() == static_cast<std::size_t>(samples));
      CHECK(std::is_sorted(sample.ids.begin(), sample.ids.end(), std::less_equal<>()));
      CHECK(sample.ids.front() >= 0);
      CHECK(sample.ids.back() < vocabulary);
      CHECK(sample.draws >= static_cast<std::uint64_t>(samples));
    }
  }
}

TEST_CASE("a sample is a function of seed and step") {
  const NegativeSample sample = draw_negatives(5000, 50, 1, 2);
  CHECK(draw_negatives(5000, 50, 1, 2).ids == sample.ids);
  CHECK(draw_negatives(5000, 50, 1, 2).draws == sample.draws);
  CHECK(draw_negatives(5000, 50, 1, 3).ids != sample.ids);
  CHECK(draw_negatives(5000, 50, 2, 2).ids != sample.ids);
}

TEST_CASE("single draws follow the log-uniform distribution") {
  constexpr std::int64_t kVocabulary = 50;
  constexpr int kDraws = 200000;
  std::vector<int> counts(kVocabulary);
  for (std::uint64_t step = 0; step < kDraws; ++step) {
    const NegativeSample sample = draw_negatives(kVocabulary, 1, 7, step);
    REQUIRE(sample.draws == 1);
    ++counts[static_cast<std::size_t>(sample.ids[0])];
  }
  for (std::int64_t row = 0; row < kVocabulary; ++row) {
    const double p = probability(row, kVocabulary);
    const double deviation = std::sqrt(kDraws * p * (1.0 - p));
    CAPTURE(row);
    CHECK(std::abs(counts[static_cast<std::size_t>(row)] - kDraws * p) < 5.0 * deviation);
  }
}

TEST_CASE("sample frequencies match the expected counts") {
  constexpr std::int64_t kVocabulary = 200;
  constexpr int kSteps = 20000;
  std::vector<double> counts(kVocabulary);
  std::vector<double> expected(kVocabulary);
  for (std::uint64_t step = 0; step < kSteps; ++step) {
    const NegativeSample sample = draw_negatives(kVocabulary, 40, 1, step);
    for (const std::int32_t id : sample.ids) ++counts[static_cast<std::size_t>(id)];
    for (std::int32_t id = 0; id < kVocabulary; ++id) {
      expected[static_cast<std::size_t>(id)] +=
          std::exp(static_cast<double>(sample.log_expected_count(id)));
    }
  }
  // Counts deviate by less than sqrt(kSteps) / 2. As in TensorFlow, the expectation ignores that
  // sampling stops at a number of distinct rows, not of draws: an error of about one part in twice
  // the samples.
  for (std::size_t id = 0; id < kVocabulary; ++id) {
    CAPTURE(id);
    CHECK(std::abs(counts[id] - expected[id]) < 5.0 * std::sqrt(kSteps) / 2.0 + 0.02 * counts[id]);
  }
}

TEST_CASE("expected counts are exact for tiny and for large probabilities") {
  // Computed by the definition, which is exact enough for these sizes.
  const auto log_count = [](std::int64_t vocabulary, std::int32_t id, std::uint64_t draws) {
    return NegativeSample{{}, draws, vocabulary}.log_expected_count(id);
  };
  for (const std::int32_t id : {0, 1, 50, 99}) {
    const double p = probability(id, 100);
    CHECK(log_count(100, id, 13) ==
          doctest::Approx(std::log(1.0 - std::pow(1.0 - p, 13.0))).epsilon(1e-6));
  }
  CHECK(log_count(100, 0, 1000000) == 0.0F);  // practically certain
  // 1 − (1 − p)^d = d · p − d · (d − 1) / 2 · p² + …, with p ≈ 1 / (800000 · ln 800001).
  const long double p = std::log1p(1.0L / 800000.0L) / std::log1p(800000.0L);
  for (const std::uint64_t draws : {1U, 2U, 16000U}) {
    const auto d = static_cast<long double>(draws);
    const long double count = d * p - d * (d - 1.0L) / 2.0L * p * p;
    CHECK(log_count(800000, 799999, draws) ==
          doctest::Approx(static_cast<double>(std::log(count))).epsilon(1e-6));
  }
}

TEST_CASE("a sample of the whole vocabulary is every row, without correction") {
  for (const std::int64_t vocabulary : {1, 4, 100}) {
    const NegativeSample sample = draw_negatives(vocabulary, vocabulary, 5, 6);
    REQUIRE(sample.ids.size() == static_cast<std::size_t>(vocabulary));
    for (std::int32_t id = 0; id < vocabulary; ++id) {
      CHECK(sample.ids[static_cast<std::size_t>(id)] == id);
      CHECK(sample.log_expected_count(id) == 0.0F);
    }
  }
}

constexpr std::int64_t kSoftmaxWords = 7;
constexpr std::int64_t kSoftmaxWidth = 3;

SoftmaxLayer made_softmax() {
  std::vector<std::string> words{"<S>", "</S>", "<UNK>"};
  while (static_cast<std::int64_t>(words.size()) < kSoftmaxWords) {
    words.push_back("word" + std::to_string(words.size()));
  }
  SoftmaxLayer softmax(Vocabulary(std::move(words)), kSoftmaxWidth);
  float number = 0.0F;
  for (Parameter* parameter : {&softmax.weights, &softmax.bias}) {
    for (float& value : parameter->values) value = std::sin(number += 1.0F);
    parameter->touched.emplace();
    for (std::int32_t row = 0; row < kSoftmaxWords; ++row) parameter->touched->push_back(row);
    parameter->gradient.resize(parameter->gradient_size());
  }
  return softmax;
}

double at(const AlignedVector<float>& values, std::int64_t index) {
  return double{values[static_cast<std::size_t>(index)]};
}

TEST_CASE("over the whole vocabulary, loss and gradients match the full softmax") {
  SoftmaxLayer softmax = made_softmax();
  const std::vector<std::int32_t> targets{3, 0, 3, 6};
  const auto rows = static_cast<std::int64_t>(targets.size());
  AlignedVector<float> activations;
  for (std::int64_t i = 0; i < rows * kSoftmaxWidth; ++i) {
    activations.push_back(std::cos(static_cast<float>(i)));
  }
  const AlignedVector<float> h = activations;
  const NegativeSample all = draw_negatives(kSoftmaxWords, kSoftmaxWords, 0, 0);
  constexpr float kScale = 0.5F;
  SoftmaxPass pass(softmax, true, Precision::float32);
  const double loss = pass.run(all, targets, kScale, activations);

  double expected_loss = 0.0;
  std::vector<double> weight_gradient(kSoftmaxWords * kSoftmaxWidth);
  std::vector<double> bias_gradient(kSoftmaxWords);
  double largest = 0.0;
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int32_t target = targets[static_cast<std::size_t>(row)];
    std::vector<double> exponentials;
    double sum = 0.0;
    for (std::int64_t word = 0; word < kSoftmaxWords; ++word) {
      double logit = at(softmax.bias.values, word);
      for (std::int64_t p = 0; p < kSoftmaxWidth; ++p) {
        logit +=
            at(h, row * kSoftmaxWidth + p) * at(softmax.weights.values, word * kSoftmaxWidth + p);
      }
      exponentials.push_back(std::exp(logit));
      sum += exponentials.back();
    }
    expected_loss -= std::log(exponentials[static_cast<std::size_t>(target)] / sum);
    std::vector<double> gradient(kSoftmaxWidth);
    for (std::int64_t word = 0; word < kSoftmaxWords; ++word) {
      const double probability = exponentials[static_cast<std::size_t>(word)] / sum;
      const double g = double{kScale} * (probability - (word == target ? 1.0 : 0.0));
      bias_gradient[static_cast<std::size_t>(word)] += g;
      for (std::int64_t p = 0; p < kSoftmaxWidth; ++p) {
        gradient[static_cast<std::size_t>(p)] +=
            g * at(softmax.weights.values, word * kSoftmaxWidth + p);
        weight_gradient[static_cast<std::size_t>(word * kSoftmaxWidth + p)] +=
            g * at(h, row * kSoftmaxWidth + p);
      }
    }
    for (std::int64_t p = 0; p < kSoftmaxWidth; ++p) {
      largest = std::max(largest, std::fabs(at(activations, row * kSoftmaxWidth + p) -
                                            gradient[static_cast<std::size_t>(p)]));
    }
  }
  CHECK(loss == doctest::Approx(expected_loss).epsilon(1e-6));
  for (std::int64_t i = 0; i < kSoftmaxWords * kSoftmaxWidth; ++i) {
    largest = std::max(largest, std::fabs(at(softmax.weights.gradient, i) -
                                          weight_gradient[static_cast<std::size_t>(i)]));
  }
  for (std::int64_t word = 0; word < kSoftmaxWords; ++word) {
    largest = std::max(largest, std::fabs(at(softmax.bias.gradient, word) -
                                          bias_gradient[static_cast<std::size_t>(word)]));
  }
  CHECK(largest < kFloat32Tolerance);
}

TEST_CASE("rows outside the sample and the targets have no gradient") {
  SoftmaxLayer softmax = made_softmax();
  AlignedVector<float> activations{0.5F, -0.5F, 1.0F};
  const std::vector<std::int32_t> targets{4};
  SoftmaxPass pass(softmax, true, Precision::float32);
  CHECK(pass.run({{1, 5}, 3, kSoftmaxWords}, targets, 1.0F, activations) > 0.0);
  for (std::size_t word = 0; word < kSoftmaxWords; ++word) {
    CHECK((softmax.bias.gradient[word] != 0.0F) == (word == 1 || word == 4 || word == 5));
  }
}

}  // namespace
}  // namespace elmo

#include "core/train/bilm/softmax_pass.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/core/tolerances.h"

namespace elmo {
namespace {

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

TEST_CASE("over the whole vocabulary, loss and gradients are those of the softmax") {
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

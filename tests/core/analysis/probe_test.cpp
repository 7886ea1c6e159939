// Gradients of probes, results of training them, and the order of the training tokens.
#include "core/analysis/probe.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "core/analysis/probe_corpus.h"
#include "core/error.h"
#include "tests/core/analysis/token_activations.h"

namespace elmo {
namespace {

constexpr std::uint64_t kSeed = 11;
constexpr BilmShape kBilm{2, 3};
constexpr std::size_t kProbedValues = 15;  // values of a token

std::vector<float> random_values(std::size_t count, std::mt19937& random) {
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(random);
  return values;
}

/// The mean loss of a probe, from its equation: softmax(factor · h·W + b). h is a part of the
/// activations, or γ Σ_j softmax(w)_j h_j with h_0 = [x; x].
double reference_loss(const ProbedLayer& layer, const std::vector<std::vector<double>>& parameters,
                      const std::vector<float>& activations,
                      const std::vector<std::int32_t>& labels, std::size_t classes, double factor) {
  const std::vector<double>& weights = parameters[0];
  const std::vector<double>& bias = parameters[1];
  double loss = 0.0;
  for (std::size_t token = 0; token < labels.size(); ++token) {
    const float* a = activations.data() + token * kProbedValues;
    std::vector<double> h;
    if (layer.mixed) {
      double norm = 0.0;
      for (const double w : parameters[2]) norm += std::exp(w);
      for (std::size_t i = 0; i < 6; ++i) {
        double sum = std::exp(parameters[2][0]) / norm * double{a[i % 3]};
        for (std::size_t j = 1; j <= 2; ++j) {
          sum += std::exp(parameters[2][j]) / norm * double{a[(2 * j - 1) * 3 + i]};
        }
        h.push_back(parameters[3][0] * sum);
      }
    } else {
      h.assign(a + layer.column, a + layer.column + layer.columns);
    }
    std::vector<double> logits(bias);
    for (std::size_t i = 0; i < h.size(); ++i) {
      for (std::size_t c = 0; c < classes; ++c)
        logits[c] += factor * h[i] * weights[i * classes + c];
    }
    double sum = 0.0;
    for (const double logit : logits) sum += std::exp(logit);
    loss += std::log(sum) - logits[static_cast<std::size_t>(labels[token])];
  }
  return loss / static_cast<double>(labels.size());
}

/// Tokens whose label is known to the backward direction of layer 1 only.
struct ProbeTask {
  LabelCorpus labels;
  std::unique_ptr<TokenActivations> activations;

  ProbeTask(std::size_t tokens, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<float> values = random_values(tokens * kProbedValues, random);
    for (std::size_t token = 0; token < tokens; ++token) {
      const auto label = static_cast<std::int32_t>(random() % 3);
      values[token * kProbedValues + 6 + static_cast<std::size_t>(label)] += 8.0F;
      labels.labels.push_back(label);
      labels.by_word.push_back(0);
      labels.unknown.push_back(token % 4 == 0);
      if (token % 5 == 4 || token + 1 == tokens) labels.begins.push_back(token + 1);
    }
    activations = std::make_unique<TokenActivations>(2, 3, values);
  }

  ProbedCorpus view() const { return {&labels, activations.get()}; }
};

std::optional<std::vector<ProbeResult>> probe(int threads, bool stopped = false) {
  const ProbeTask train(2000, 1);
  const ProbeTask dev(300, 2);
  const ProbeTask test(200, 3);
  ProbeOptions options;
  options.epochs = 5;
  options.batch_tokens = 64;
  options.rate = 0.05F;
  options.weight_decays = {0.0F, 0.1F};
  options.threads = threads;
  const std::atomic<bool> stop = stopped;
  return train_probes(train.view(), dev.view(), test.view(), kBilm, 3, options, stop,
                      [](const ProbeProgress&) {});
}

}  // namespace

TEST_CASE("there is a probe for the token layer, each direction, each layer and the mix") {
  const std::vector<ProbedLayer> layers = probed_layers(kBilm);
  std::vector<std::string> names;
  for (const ProbedLayer& layer : layers) names.push_back(layer.name);
  CHECK(names == std::vector<std::string>{"x", "forward_1", "backward_1", "1", "forward_2",
                                          "backward_2", "2", "mix"});
  CHECK(layers[2].column == 6);
  CHECK(layers[2].columns == 3);
  CHECK(layers[6].column == 9);
  CHECK(layers[6].columns == 6);
}

TEST_CASE("probe gradients match the equation") {
  CAPTURE(kSeed);
  std::mt19937 random(kSeed);
  const std::size_t classes = 4;
  const std::vector<float> activations = random_values(5 * kProbedValues, random);
  const std::vector<std::int32_t> labels{0, 3, 1, 3, 2};
  for (const ProbedLayer& layer : probed_layers(kBilm)) {
    CAPTURE(layer.name);
    Probe probe(layer, kBilm, static_cast<std::int64_t>(classes), 0.5F);
    std::vector<std::vector<double>> values;
    for (Parameter* parameter : probe.parameters()) {
      const std::vector<float> drawn = random_values(parameter->values.size(), random);
      std::ranges::copy(drawn, parameter->values.begin());
      values.emplace_back(drawn.begin(), drawn.end());
      parameter->clear_gradient();
    }
    const double loss = probe.train(activations, labels);
    CHECK(loss == doctest::Approx(reference_loss(layer, values, activations, labels, classes, 0.5))
                      .epsilon(1e-5));
    const std::vector<Parameter*> parameters = probe.parameters();
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      for (std::size_t i = 0; i < values[p].size(); ++i) {
        constexpr double kStep = 1e-5;
        const double value = values[p][i];
        values[p][i] = value + kStep;
        const double above = reference_loss(layer, values, activations, labels, classes, 0.5);
        values[p][i] = value - kStep;
        const double below = reference_loss(layer, values, activations, labels, classes, 0.5);
        values[p][i] = value;
        CHECK(std::abs(double{parameters[p]->gradient[i]} - (above - below) / (2 * kStep)) < 2e-5);
      }
    }
  }
}

TEST_CASE("layers are scaled to one size") {
  constexpr std::size_t kTokens = 500;
  std::vector<float> values(kTokens * kProbedValues);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t row = i % kProbedValues / 3;  // numbers in it are ±1 … ±5
    values[i] = (i % 2 == 0 ? 1.0F : -1.0F) * static_cast<float>(row + 1);
  }
  const std::vector<float> scales = layer_scales(values, kBilm);
  const std::vector<double> squares{1, 4, 9, 6.5, 16, 25, 20.5, 11};
  REQUIRE(scales.size() == squares.size());
  for (std::size_t i = 0; i < scales.size(); ++i) {
    CHECK(double{scales[i]} == doctest::Approx(1 / std::sqrt(squares[i])));
  }
  const std::vector<float> zeros(kProbedValues, 0.0F);
  CHECK(layer_scales(zeros, kBilm) == std::vector<float>(8, 1.0F));
}

TEST_CASE("probes find the layer that encodes the labels") {
  const auto results = probe(2);
  REQUIRE(results);
  REQUIRE(results->size() == 8);
  for (const ProbeResult& result : *results) {
    CAPTURE(result.layer);
    CHECK(result.epoch >= 1);
    CHECK(result.epoch <= 5);
    REQUIRE(result.test);
    CHECK(result.dev.unknown_tokens == 75);
    CHECK(result.test->unknown_tokens == 50);
    const bool knows = result.layer == "backward_1" || result.layer == "1" || result.layer == "mix";
    for (const ProbeScore& score : {result.dev, *result.test}) {
      if (knows) {
        CHECK(score.accuracy > 99.0);
        CHECK(score.unknown > 98.0);
      } else {
        CHECK(score.accuracy < 50.0);
      }
      CHECK(score.low <= score.accuracy);
      CHECK(score.high >= score.accuracy);
    }
  }
  const ProbeResult& mix = results->back();
  REQUIRE(mix.shares.size() == 3);
  CHECK(std::accumulate(mix.shares.begin(), mix.shares.end(), 0.0F) == doctest::Approx(1.0));
  CHECK(mix.shares[1] > 0.6F);
  CHECK(mix.gamma > 1.0F);
  CHECK(results->front().shares.empty());
}

TEST_CASE("probes do not depend on the number of threads") {
  const auto one = probe(1);
  const auto three = probe(3);
  REQUIRE(one);
  REQUIRE(three);
  for (std::size_t i = 0; i < one->size(); ++i) {
    CHECK((*one)[i].dev.accuracy == (*three)[i].dev.accuracy);
    CHECK((*one)[i].test->low == (*three)[i].test->low);
    CHECK((*one)[i].epoch == (*three)[i].epoch);
  }
  CHECK(one->back().shares == three->back().shares);
  CHECK(one->back().gamma == three->back().gamma);
}

TEST_CASE("training probes can be stopped") { CHECK(!probe(1, true)); }

TEST_CASE("a token stream returns each token once per epoch, with its activations") {
  constexpr std::uint64_t kTokens = 1000;
  std::vector<float> values(kTokens * kProbedValues);
  std::iota(values.begin(), values.end(), 0.0F);
  TokenActivations source(2, 3, values);
  TokenStream stream(source, 5, 16, 100);
  std::vector<std::vector<std::uint64_t>> orders;
  for (const std::uint64_t epoch : {0U, 1U, 0U}) {
    std::vector<std::uint64_t>& order = orders.emplace_back();
    stream.begin_epoch(epoch);
    while (stream.next()) {
      CHECK(stream.tokens().size() <= 96);
      REQUIRE(stream.activations().size() == stream.tokens().size() * kProbedValues);
      for (std::size_t i = 0; i < stream.tokens().size(); ++i) {
        const std::uint64_t token = stream.tokens()[i];
        order.push_back(token);
        CHECK(stream.activations()[i * kProbedValues] == values[token * kProbedValues]);
        CHECK(stream.activations()[i * kProbedValues + 14] == values[token * kProbedValues + 14]);
      }
    }
    CHECK(order.size() == kTokens);
    CHECK(std::set(order.begin(), order.end()).size() == kTokens);
    CHECK(!std::ranges::is_sorted(order));
  }
  CHECK(orders[0] == orders[2]);
  CHECK(orders[0] != orders[1]);
}

}  // namespace elmo

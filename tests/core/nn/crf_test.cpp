#include "core/nn/crf.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tests/core/nn/parameters.h"
#include "tests/reference/task_layers.h"

namespace elmo {
namespace {

constexpr std::int64_t kCrfLabels = 4;

/// Sentences of a few tokens, an allowed label sequence for each, and the sum over all allowed
/// ones.
struct CrfCase {
  LabelTransitions allowed;
  Sequences sequences;
  Matrix emissions;
  std::vector<std::int32_t> labels;

  ReferenceCrf reference(const ReferenceValues& values) const {
    return {values.at("crf/transitions"), values.at("crf/begin"), values.at("crf/end")};
  }
  std::vector<std::vector<std::size_t>> all(const ReferenceCrf& crf, std::int64_t b) const {
    return crf.sequences(static_cast<std::size_t>(sequences.length(b)), allowed.follows,
                         allowed.begins, allowed.ends);
  }
  std::vector<std::size_t> labels_of(std::int64_t b) const {
    return {labels.begin() + sequences.begin(b), labels.begin() + sequences.begin(b + 1)};
  }
};

/// Some transitions are forbidden, but each label can begin, be followed or end somehow.
LabelTransitions some_transitions() {
  LabelTransitions allowed = LabelTransitions::all(kCrfLabels);
  allowed.follows[0 * kCrfLabels + 2] = 0;
  allowed.follows[1 * kCrfLabels + 3] = 0;
  allowed.follows[3 * kCrfLabels + 3] = 0;
  allowed.begins[2] = 0;
  allowed.ends[1] = 0;
  return allowed;
}

CrfCase make_case(LabelTransitions allowed, unsigned seed) {
  CrfCase made;
  made.allowed = std::move(allowed);
  made.sequences = sequences_of({1, 3, 5, 2, 4, 1});
  made.emissions = normal_matrix(made.sequences.rows(), kCrfLabels, seed, 2.0F);
  std::mt19937 random(seed);
  const ReferenceCrf crf{{}, ReferenceRow(kCrfLabels, 0.0), {}};
  for (std::int64_t b = 0; b < made.sequences.count(); ++b) {
    const auto all = made.all(crf, b);
    for (const std::size_t label : all[random() % all.size()]) {
      made.labels.push_back(static_cast<std::int32_t>(label));
    }
  }
  return made;
}

TEST_CASE("CRF against the enumeration of all label sequences") {
  Workers workers(2);
  for (const unsigned seed : {1U, 2U, 3U}) {
    for (const bool constrained : {false, true}) {
      CAPTURE(seed);
      CAPTURE(constrained);
      const CrfCase made =
          make_case(constrained ? some_transitions() : LabelTransitions::all(kCrfLabels), seed);
      Crf crf("crf", made.allowed);
      ReferenceValues values = randomize(crf.parameters(), seed);
      DoubleNumbers emissions = widened(made.emissions);
      const auto loss = [&] {
        const ReferenceCrf reference = made.reference(values);
        double sum = 0.0;
        for (std::int64_t b = 0; b < made.sequences.count(); ++b) {
          sum += reference.loss(rows_of(emissions, kCrfLabels, made.sequences, b),
                                made.labels_of(b), made.all(reference, b));
        }
        return 0.5 * sum;
      };
      Matrix gradient;
      const double found =
          crf.loss(made.emissions, made.sequences, made.labels, 0.5F, workers, gradient);
      CHECK(0.5 * found == doctest::Approx(loss()).epsilon(1e-6));
      check_gradient(gradient.values, emissions, loss);
      check_gradients(crf.parameters(), values, loss);

      // Returns the best label sequence and the probability of each of its labels.
      std::vector<std::int32_t> labels(made.labels.size());
      std::vector<float> probabilities(made.labels.size());
      crf.decode(made.emissions, made.sequences, workers, labels, probabilities);
      const ReferenceCrf reference = made.reference(values);
      for (std::int64_t b = 0; b < made.sequences.count(); ++b) {
        const ReferenceRows rows = rows_of(emissions, kCrfLabels, made.sequences, b);
        const auto all = made.all(reference, b);
        std::size_t best = 0;
        double sum = 0.0;
        for (std::size_t i = 0; i < all.size(); ++i) {
          if (reference.score(rows, all[i]) > reference.score(rows, all[best])) best = i;
          sum += std::exp(reference.score(rows, all[i]));
        }
        for (std::size_t t = 0; t < rows.size(); ++t) {
          const auto at = static_cast<std::size_t>(made.sequences.begin(b)) + t;
          CHECK(labels[at] == static_cast<std::int32_t>(all[best][t]));
          double share = 0.0;
          for (const auto& other : all) {
            if (other[t] == all[best][t]) share += std::exp(reference.score(rows, other)) / sum;
          }
          CHECK(probabilities[at] == doctest::Approx(share).epsilon(1e-5));
        }
      }
    }
  }
}

TEST_CASE("CRF of scores that are far apart stays finite") {
  Workers workers(1);
  Crf crf("crf", some_transitions());
  for (Parameter* parameter : crf.parameters()) parameter->clear_gradient();
  const Sequences sequences = sequences_of({40});
  Matrix emissions(40, kCrfLabels);
  for (std::int64_t row = 0; row < 40; ++row) emissions.row(row)[3] = 3e4F;  // never twice in a row
  const std::vector<std::int32_t> labels(40, 0);
  Matrix gradient;
  CHECK(std::isfinite(crf.loss(emissions, sequences, labels, 1.0F, workers, gradient)));
  for (const float value : gradient.values) CHECK(std::isfinite(value));
}

/// Returns the best label sequence in double if all transitions are allowed.
std::vector<std::int32_t> best_labels(const Matrix& emissions, const ReferenceCrf& crf) {
  const auto k = static_cast<std::size_t>(emissions.columns);
  const auto steps = static_cast<std::size_t>(emissions.rows);
  std::vector<std::vector<double>> scores(steps, std::vector<double>(k));
  std::vector<std::vector<std::size_t>> before(steps, std::vector<std::size_t>(k));
  for (std::size_t t = 0; t < steps; ++t) {
    for (std::size_t j = 0; j < k; ++j) {
      const auto way = [&](std::size_t i) { return scores[t - 1][i] + crf.transitions[i * k + j]; };
      for (std::size_t i = 1; t > 0 && i < k; ++i) {
        if (way(i) > way(before[t][j])) before[t][j] = i;
      }
      scores[t][j] = (t == 0 ? crf.begin[j] : way(before[t][j])) +
                     double{emissions.row(static_cast<std::int64_t>(t))[j]} +
                     (t + 1 == steps ? crf.end[j] : 0.0);
    }
  }
  const std::vector<double>& last = scores.back();
  std::vector<std::int32_t> labels(steps);
  auto label = static_cast<std::size_t>(std::max_element(last.begin(), last.end()) - last.begin());
  for (std::size_t t = steps; t-- > 0; label = before[t][label]) {
    labels[t] = static_cast<std::int32_t>(label);
  }
  return labels;
}

TEST_CASE("CRF finds the best labels of a long text") {
  constexpr std::int64_t kTokens = 20000;
  Workers workers(1);
  Crf crf("crf", LabelTransitions::all(kCrfLabels));
  const ReferenceValues values = randomize(crf.parameters(), 5);
  const Matrix emissions = normal_matrix(kTokens, kCrfLabels, 5, 2.0F);
  std::vector<std::int32_t> labels(kTokens);
  std::vector<float> probabilities(kTokens);
  crf.decode(emissions, sequences_of({kTokens}), workers, labels, probabilities);
  const ReferenceCrf reference{values.at("crf/transitions"), values.at("crf/begin"),
                               values.at("crf/end")};
  CHECK(labels == best_labels(emissions, reference));
}

}  // namespace
}  // namespace elmo

#include "core/nn/crf.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace elmo {

namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

// Exponents are clipped to ±this. Factors are then tiny but never 0, so sums over allowed labels
// are never 0.
constexpr double kLargestExponent = 115.0;

double factor(double exponent) {
  return std::exp(std::clamp(exponent, -kLargestExponent, kLargestExponent));
}

std::vector<double> factors_of(const Parameter& parameter,
                               const std::vector<std::uint8_t>& allowed) {
  std::vector<double> factors(allowed.size(), 0.0);
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    if (allowed[i] != 0) factors[i] = factor(parameter.values[i]);
  }
  return factors;
}

void add_scaled(const std::vector<double>& from, float scale, AlignedVector<float>& to) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    to[i] += static_cast<float>(scale * from[i]);
  }
}

// Returns the sequences of one share of `shares`, as a range [first, second).
std::pair<std::int64_t, std::int64_t> sequences_of(std::size_t share, std::size_t shares,
                                                   const Sequences& sequences) {
  const auto begin = [&](std::size_t index) {
    return sequences.count() * static_cast<std::int64_t>(index) / static_cast<std::int64_t>(shares);
  };
  return {begin(share), begin(share + 1)};
}

}  // namespace

LabelTransitions LabelTransitions::all(std::int64_t labels) {
  const auto count = static_cast<std::size_t>(labels);
  LabelTransitions transitions;
  transitions.labels = labels;
  transitions.follows.assign(count * count, 1);
  transitions.begins.assign(count, 1);
  transitions.ends.assign(count, 1);
  return transitions;
}

Crf::Crf(const std::string& name, LabelTransitions allowed)
    : allowed_(std::move(allowed)),
      transitions_(name + "/transitions", {allowed_.labels, allowed_.labels}),
      begin_(name + "/begin", {allowed_.labels}),
      end_(name + "/end", {allowed_.labels}) {
  begin_.decays = end_.decays = false;
}

Crf::Factors Crf::factors() const {
  return {factors_of(transitions_, allowed_.follows), factors_of(begin_, allowed_.begins),
          factors_of(end_, allowed_.ends)};
}

// Computes the share's sums for `length` rows from `first` on. Returns the logarithm of the sum
// over all label sequences.
double Crf::sum(const Factors& factors, const Matrix& emissions, std::int64_t first,
                std::int64_t length, Share& share) const {
  const auto k = static_cast<std::size_t>(labels());
  const auto steps = static_cast<std::size_t>(length);
  share.emission.resize(steps * k);
  share.forward.resize(steps * k);
  share.backward.resize(steps * k);
  share.scales.resize(steps);
  share.next.resize(k);
  double logarithm = 0.0;
  for (std::size_t t = 0; t < steps; ++t) {
    const float* scores = emissions.row(first + static_cast<std::int64_t>(t));
    const double largest = *std::max_element(scores, scores + k);
    double* emission = share.emission.data() + t * k;
    for (std::size_t j = 0; j < k; ++j) emission[j] = factor(scores[j] - largest);

    double* forward = share.forward.data() + t * k;
    if (t == 0) {
      std::copy(factors.begin.begin(), factors.begin.end(), forward);
    } else {
      const double* before = share.forward.data() + (t - 1) * k;
      std::fill_n(forward, k, 0.0);
      for (std::size_t i = 0; i < k; ++i) {
        const double* step = factors.step.data() + i * k;
        for (std::size_t j = 0; j < k; ++j) forward[j] += before[i] * step[j];
      }
    }
    double scale = 0.0;
    for (std::size_t j = 0; j < k; ++j) {
      forward[j] *= emission[j];
      scale += forward[j];
    }
    for (std::size_t j = 0; j < k; ++j) forward[j] /= scale;
    share.scales[t] = scale;
    logarithm += std::log(scale) + largest;
  }

  const double* last = share.forward.data() + (steps - 1) * k;
  double* backward = share.backward.data() + (steps - 1) * k;
  double ending = 0.0;
  for (std::size_t j = 0; j < k; ++j) ending += last[j] * factors.end[j];
  for (std::size_t j = 0; j < k; ++j) backward[j] = factors.end[j] / ending;
  for (std::size_t t = steps - 1; t > 0; --t) {
    const double* emission = share.emission.data() + t * k;
    for (std::size_t j = 0; j < k; ++j) {
      share.next[j] = emission[j] * backward[j] / share.scales[t];
    }
    backward -= k;
    for (std::size_t i = 0; i < k; ++i) {
      const double* step = factors.step.data() + i * k;
      double sum = 0.0;
      for (std::size_t j = 0; j < k; ++j) sum += step[j] * share.next[j];
      backward[i] = sum;
    }
  }
  return logarithm + std::log(ending);
}

// Adds expected minus observed counts of transitions. Call after sum().
void Crf::count(const Factors& factors, std::int64_t length, std::span<const std::int32_t> labels,
                Share& share) const {
  const auto k = static_cast<std::size_t>(this->labels());
  const auto steps = static_cast<std::size_t>(length);
  const auto label = [&](std::size_t t) { return static_cast<std::size_t>(labels[t]); };
  for (std::size_t j = 0; j < k; ++j) {
    const std::size_t last = (steps - 1) * k + j;
    share.counts.begin[j] += share.forward[j] * share.backward[j];
    share.counts.end[j] += share.forward[last] * share.backward[last];
  }
  share.counts.begin[label(0)] -= 1.0;
  share.counts.end[label(steps - 1)] -= 1.0;
  for (std::size_t t = 1; t < steps; ++t) {
    const double* before = share.forward.data() + (t - 1) * k;
    for (std::size_t j = 0; j < k; ++j) {
      share.next[j] = share.emission[t * k + j] * share.backward[t * k + j] / share.scales[t];
    }
    for (std::size_t i = 0; i < k; ++i) {
      const double* step = factors.step.data() + i * k;
      double* to = share.counts.step.data() + i * k;
      for (std::size_t j = 0; j < k; ++j) to[j] += before[i] * step[j] * share.next[j];
    }
    share.counts.step[label(t - 1) * k + label(t)] -= 1.0;
  }
}

double Crf::score(const Matrix& emissions, std::int64_t first,
                  std::span<const std::int32_t> labels) const {
  const auto k = static_cast<std::size_t>(this->labels());
  double score = 0.0;
  for (std::size_t t = 0; t < labels.size(); ++t) {
    const auto label = static_cast<std::size_t>(labels[t]);
    score += emissions.row(first + static_cast<std::int64_t>(t))[label];
    score += t == 0 ? begin_.values[label]
                    : transitions_.values[static_cast<std::size_t>(labels[t - 1]) * k + label];
  }
  return score + end_.values[static_cast<std::size_t>(labels.back())];
}

double Crf::loss(const Matrix& emissions, const Sequences& sequences,
                 std::span<const std::int32_t> labels, float scale, Workers& workers,
                 Matrix& gradient) {
  const auto k = static_cast<std::size_t>(this->labels());
  const Factors factors = this->factors();
  gradient.resize(emissions.rows, emissions.columns);
  workers.run(shares_.size(), [&](std::size_t index) {
    Share& share = shares_[index];
    share.counts = {std::vector<double>(k * k, 0.0), std::vector<double>(k, 0.0),
                    std::vector<double>(k, 0.0)};
    share.loss = 0.0;
    const auto [begin, end] = sequences_of(index, shares_.size(), sequences);
    for (std::int64_t sequence = begin; sequence < end; ++sequence) {
      const std::int64_t first = sequences.begin(sequence);
      const std::int64_t length = sequences.length(sequence);
      const auto gold =
          labels.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(length));
      share.loss += sum(factors, emissions, first, length, share) - score(emissions, first, gold);
      count(factors, length, gold, share);
      for (std::size_t t = 0; t < gold.size(); ++t) {
        float* to = gradient.row(first + static_cast<std::int64_t>(t));
        for (std::size_t j = 0; j < k; ++j) {
          const double expected = share.forward[t * k + j] * share.backward[t * k + j];
          const double observed = static_cast<std::size_t>(gold[t]) == j ? 1.0 : 0.0;
          to[j] = static_cast<float>(scale * (expected - observed));
        }
      }
    }
  });
  double loss = 0.0;
  for (const Share& share : shares_) {
    add_scaled(share.counts.step, scale, transitions_.gradient);
    add_scaled(share.counts.begin, scale, begin_.gradient);
    add_scaled(share.counts.end, scale, end_.gradient);
    loss += share.loss;
  }
  return loss;
}

void Crf::best(const Matrix& emissions, std::int64_t first, std::span<std::int32_t> labels) const {
  const auto k = static_cast<std::size_t>(this->labels());
  // Uses double: over thousands of tokens, float could not distinguish the best path from the
  // second-best.
  std::vector<double> scores(k);
  std::vector<double> next(k);
  std::vector<std::int32_t> from(labels.size() * k);  // the previous label on the best path to each
                                                      // label
  for (std::size_t j = 0; j < k; ++j) {
    scores[j] =
        allowed_.begins[j] != 0 ? double{begin_.values[j]} + emissions.row(first)[j] : kNone;
  }
  for (std::size_t t = 1; t < labels.size(); ++t) {
    const float* emission = emissions.row(first + static_cast<std::int64_t>(t));
    for (std::size_t j = 0; j < k; ++j) {
      next[j] = kNone;
      for (std::size_t i = 0; i < k; ++i) {
        const double score = scores[i] + transitions_.values[i * k + j];
        if (allowed_.follows[i * k + j] == 0 || score <= next[j]) continue;
        next[j] = score;
        from[t * k + j] = static_cast<std::int32_t>(i);
      }
      next[j] += emission[j];
    }
    scores.swap(next);
  }
  for (std::size_t j = 0; j < k; ++j) {
    scores[j] = allowed_.ends[j] != 0 ? scores[j] + end_.values[j] : kNone;
  }
  auto label =
      static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
  for (std::size_t t = labels.size(); t-- > 0;) {
    labels[t] = static_cast<std::int32_t>(label);
    label = static_cast<std::size_t>(from[t * k + label]);
  }
}

void Crf::decode(const Matrix& emissions, const Sequences& sequences, Workers& workers,
                 std::span<std::int32_t> labels, std::span<float> probabilities) {
  const auto k = static_cast<std::size_t>(this->labels());
  const Factors factors = this->factors();
  workers.run(shares_.size(), [&](std::size_t index) {
    Share& share = shares_[index];
    const auto [begin, end] = sequences_of(index, shares_.size(), sequences);
    for (std::int64_t sequence = begin; sequence < end; ++sequence) {
      const std::int64_t first = sequences.begin(sequence);
      const std::int64_t length = sequences.length(sequence);
      const auto begin_row = static_cast<std::size_t>(first);
      best(emissions, first, labels.subspan(begin_row, static_cast<std::size_t>(length)));
      sum(factors, emissions, first, length, share);
      for (std::size_t t = 0; t < static_cast<std::size_t>(length); ++t) {
        const std::size_t at = t * k + static_cast<std::size_t>(labels[begin_row + t]);
        probabilities[begin_row + t] = static_cast<float>(share.forward[at] * share.backward[at]);
      }
    }
  });
}

}  // namespace elmo

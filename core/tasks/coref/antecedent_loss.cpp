#include "core/tasks/coref/antecedent_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elmo {
namespace {

constexpr double kNoScore = -std::numeric_limits<double>::infinity();

}  // namespace

double antecedent_loss(const AntecedentPairs& pairs, std::span<const std::int32_t> clusters,
                       double scale, AlignedVector<float>& gradient) {
  gradient.assign(pairs.scores.size(), 0.0F);
  double loss = 0.0;
  for (std::size_t span = 0; span < clusters.size(); ++span) {
    const std::size_t begin = pairs.begins[span];
    const std::size_t end = pairs.begins[span + 1];
    const auto is_right = [&](std::size_t pair) {
      const auto antecedent = static_cast<std::size_t>(pairs.antecedents[pair]);
      return clusters[span] >= 0 && clusters[antecedent] == clusters[span];
    };
    double largest = 0.0;  // score of having no antecedent
    for (std::size_t pair = begin; pair < end; ++pair) {
      largest = std::max(largest, double{pairs.scores[pair]});
    }
    double all = std::exp(-largest);
    double right = 0.0;
    // The largest correct score, so that its exponential does not underflow next to a far larger
    // wrong one.
    double largest_right = kNoScore;
    for (std::size_t pair = begin; pair < end; ++pair) {
      all += std::exp(double{pairs.scores[pair]} - largest);
      if (is_right(pair)) largest_right = std::max(largest_right, double{pairs.scores[pair]});
    }
    const bool has_right = largest_right > kNoScore;
    if (!has_right) largest_right = 0.0;
    for (std::size_t pair = begin; pair < end; ++pair) {
      if (is_right(pair)) right += std::exp(double{pairs.scores[pair]} - largest_right);
    }
    if (!has_right) right = 1.0;
    loss += largest + std::log(all) - largest_right - std::log(right);
    for (std::size_t pair = begin; pair < end; ++pair) {
      double slope = std::exp(double{pairs.scores[pair]} - largest) / all;
      if (is_right(pair)) slope -= std::exp(double{pairs.scores[pair]} - largest_right) / right;
      gradient[pair] = static_cast<float>(scale * slope);
    }
  }
  return loss;
}

std::int32_t best_antecedent(const AntecedentPairs& pairs, std::size_t span) {
  std::int32_t best = -1;
  float most = 0.0F;
  for (std::size_t pair = pairs.begins[span + 1]; pair-- > pairs.begins[span];) {
    if (pairs.scores[pair] > most) {
      most = pairs.scores[pair];
      best = pairs.antecedents[pair];
    }
  }
  return best;
}

}  // namespace elmo

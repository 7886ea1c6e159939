#include "core/tasks/coref/antecedent_scorer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "core/kernels/optimizer_kernels.h"
#include "core/kernels/product.h"
#include "core/nn/affine.h"

namespace elmo {
namespace {

// Minimum distance of each bucket. The last bucket of Lee et al. 2017 begins at 64, but they keep
// fewer spans.
constexpr std::array<std::int64_t, 11> kDistances = {1, 2, 3, 4, 5, 8, 16, 32, 64, 128, 256};
constexpr std::int64_t kSpeakers = 3;

// Numbers of spans whose pairs are in memory at once: few enough for their products to stay in the
// L2 cache.
constexpr std::int64_t kChosenSpans = 64;
constexpr std::size_t kPairSpans = 4;
constexpr std::size_t kShares = 4;

struct Ranked {
  float score;
  std::int32_t antecedent;
};

// True if `a` is better than `b`: a higher score or, of equal scores, the nearer antecedent.
bool is_better(const Ranked& a, const Ranked& b) {
  return a.score > b.score || (a.score == b.score && a.antecedent > b.antecedent);
}

}  // namespace

AntecedentScorer::AntecedentScorer(const Options& options)
    : columns_(options.columns),
      genre_count_(options.genres),
      coarse_("antecedent/coarse", {options.columns, options.columns}),
      span_weights_("antecedent/span/W", {options.columns, options.hidden}),
      earlier_weights_("antecedent/earlier/W", {options.columns, options.hidden}),
      product_weights_("antecedent/product/W", {options.columns, options.hidden}),
      distances_("antecedent/distance",
                 {static_cast<std::int64_t>(kDistances.size()), options.hidden}),
      genres_("antecedent/genre", {options.genres + 1, options.hidden}),
      speakers_("antecedent/speaker", {kSpeakers, options.hidden}),
      network_("antecedent", options.hidden, options.dropout, options.mask_id),
      shares_(kShares) {}

std::vector<Parameter*> AntecedentScorer::parameters() {
  return parameters_of(coarse_, span_weights_, earlier_weights_, product_weights_, distances_,
                       genres_, speakers_, network_);
}

// Divides by the number of columns of a vector: a step changes all columns² elements of W_c in the
// gradient's direction, which would otherwise change their sum far too much.
void AntecedentScorer::scale(Matrix& coarse) const {
  const float factor = 1.0F / static_cast<float>(columns_);
  for (float& value : coarse.values) value *= factor;
}

// Features and the coarse score start at zero.
void AntecedentScorer::initialize(std::uint64_t seed) {
  for (Parameter* parameter : {&span_weights_, &earlier_weights_, &product_weights_}) {
    initialize_glorot(*parameter, seed);
  }
  for (Parameter* parameter : {&coarse_, &distances_, &genres_, &speakers_}) {
    std::fill(parameter->values.begin(), parameter->values.end(), 0.0F);
  }
  network_.initialize(seed);
}

AntecedentScorer::Features AntecedentScorer::features_of(std::int64_t span,
                                                         std::int64_t antecedent) const {
  const auto* const bucket =
      std::upper_bound(kDistances.begin(), kDistances.end(), span - antecedent);
  const std::int32_t a = kept_->speakers[static_cast<std::size_t>(span)];
  const std::int32_t b = kept_->speakers[static_cast<std::size_t>(antecedent)];
  return {bucket - kDistances.begin() - 1, a < 0 || b < 0 ? 0 : a == b ? 2 : 1};
}

void AntecedentScorer::choose(std::int64_t first, std::int64_t end, Workers& workers,
                              AntecedentPairs& pairs) {
  const std::int64_t spans = end - first;
  std::vector<std::vector<Ranked>> chosen(static_cast<std::size_t>(spans));
  for_blocks(spans, kChosenSpans, workers, [&](std::int64_t first_row, std::int64_t end_row) {
    const std::int64_t from = first + first_row;
    const std::int64_t to = first + end_row;
    const std::int64_t oldest = std::max<std::int64_t>(0, from - kWindow);
    const std::int64_t earlier = to - 1 - oldest;  // the last span of the block precedes none
    if (earlier == 0) return;
    AlignedVector<float> coarse(static_cast<std::size_t>((to - from) * earlier));
    multiply(coarse_rows_.view(first_row, to - from),
             kept_->rows.view(oldest, earlier).transposed(), {coarse.data(), to - from, earlier});
    std::vector<Ranked> ranked;
    for (std::int64_t span = from; span < to; ++span) {
      ranked.clear();
      for (std::int64_t j = std::max<std::int64_t>(oldest, span - kWindow); j < span; ++j) {
        const float score = coarse[static_cast<std::size_t>((span - from) * earlier + j - oldest)];
        ranked.push_back(
            {score + kept_->scores[static_cast<std::size_t>(j)], static_cast<std::int32_t>(j)});
      }
      if (static_cast<std::int64_t>(ranked.size()) > kMaxAntecedents) {
        std::nth_element(ranked.begin(), ranked.begin() + kMaxAntecedents, ranked.end(), is_better);
        ranked.resize(kMaxAntecedents);
      }
      std::sort(ranked.begin(), ranked.end(),
                [](const Ranked& a, const Ranked& b) { return a.antecedent < b.antecedent; });
      chosen[static_cast<std::size_t>(span - first)] = ranked;
    }
  });
  pairs.begins.assign(1, 0);
  pairs.antecedents.clear();
  pairs.scores.clear();
  for (const std::vector<Ranked>& best : chosen) {
    for (const Ranked& one : best) {
      pairs.antecedents.push_back(one.antecedent);
      pairs.scores.push_back(one.score);
    }
    pairs.begins.push_back(pairs.antecedents.size());
  }
}

// Span `n` of forward()'s range, with its antecedents.
RowPairs AntecedentScorer::rows_of(const AntecedentPairs& pairs, std::size_t n) const {
  return {.size = columns_,
          .count = static_cast<std::int64_t>(pairs.begins[n + 1] - pairs.begins[n]),
          .a = kept_->rows.row(first_ + static_cast<std::int64_t>(n)),
          .rows = kept_->rows.values.data(),
          .others = pairs.antecedents.data() + pairs.begins[n]};
}

// g_i ∘ g_j for the pairs of spans `begin` to `end`.
void AntecedentScorer::make_products(const AntecedentPairs& pairs, std::size_t begin,
                                     std::size_t end, Matrix& products) const {
  products.rows = static_cast<std::int64_t>(pairs.begins[end] - pairs.begins[begin]);
  products.columns = columns_;
  grow(products.values, products.rows * columns_);
  for (std::size_t n = begin; n < end; ++n) {
    const RowPairs row = rows_of(pairs, n);
    float* to = products.row(static_cast<std::int64_t>(pairs.begins[n] - pairs.begins[begin]));
    for (std::int64_t k = 0; k < row.count; ++k) {
      const float* other = row.rows + row.others[k] * columns_;
      to = std::transform(row.a, row.a + columns_, other, to, std::multiplies<>());
    }
  }
}

// Calls work(begin, end, share) for consecutive blocks of `spans` spans. The number of shares does
// not depend on the workers, so that all sums have the same order.
template <typename Work>
void AntecedentScorer::for_each_block(std::size_t spans, Workers& workers, Work work) {
  workers.run(kShares, [&](std::size_t index) {
    const std::size_t end = spans * (index + 1) / kShares;
    for (std::size_t n = spans * index / kShares; n < end; n += kPairSpans) {
      work(n, std::min(n + kPairSpans, end), shares_[index]);
    }
  });
}

void AntecedentScorer::forward(const KeptSpans& kept, std::int64_t first, std::int64_t end,
                               std::int32_t genre, const PassOptions& options, Workers& workers,
                               AntecedentPairs& pairs) {
  kept_ = &kept;
  first_ = first;
  genre_ = genre >= 0 && genre < genre_count_ ? genre : genre_count_;
  const std::int64_t spans = end - first;
  const std::int64_t hidden = network_.columns();
  coarse_rows_.resize(spans, columns_);
  multiply(kept.rows.view(first, spans), coarse_.matrix(), coarse_rows_.view(), Beta::zero,
           workers);
  scale(coarse_rows_);
  choose(first, end, workers, pairs);

  span_sums_.resize(spans, hidden);
  fill_rows(genres_.values.data() + genre_ * hidden, span_sums_.view());
  multiply(kept.rows.view(first, spans), span_weights_.matrix(), span_sums_.view(), Beta::one,
           workers);
  const std::int64_t oldest = std::max<std::int64_t>(0, first - kWindow);
  earlier_sums_.resize(kept.rows.rows, hidden);
  multiply(kept.rows.view(oldest, end - oldest), earlier_weights_.matrix(),
           earlier_sums_.view(oldest, end - oldest), Beta::zero, workers);

  sums_.set_shape(static_cast<std::int64_t>(pairs.antecedents.size()), hidden);
  const auto count = static_cast<std::size_t>(spans);
  for_each_block(count, workers, [&](std::size_t from, std::size_t to, Share& share) {
    for (std::size_t n = from; n < to; ++n) {
      for (std::size_t pair = pairs.begins[n]; pair < pairs.begins[n + 1]; ++pair) {
        const std::int32_t antecedent = pairs.antecedents[pair];
        const Features features = features_of(first + static_cast<std::int64_t>(n), antecedent);
        float* sum = sums_.row(static_cast<std::int64_t>(pair));
        std::copy_n(span_sums_.row(static_cast<std::int64_t>(n)), hidden, sum);
        add(earlier_sums_.row(antecedent), hidden, sum);
        add(distances_.values.data() + features.distance * hidden, hidden, sum);
        add(speakers_.values.data() + features.speaker * hidden, hidden, sum);
      }
    }
    make_products(pairs, from, to, share.products);
    if (share.products.rows == 0) return;
    multiply(share.products.view(), product_weights_.matrix(),
             sums_.view(static_cast<std::int64_t>(pairs.begins[from]), share.products.rows),
             Beta::one);
  });
  network_.forward(sums_, options, workers, scores_);

  for (std::size_t n = 0; n < count; ++n) {
    const float own = kept.scores[static_cast<std::size_t>(first) + n];
    for (std::size_t pair = pairs.begins[n]; pair < pairs.begins[n + 1]; ++pair) {
      pairs.scores[pair] += own + scores_[pair];
    }
  }
}

// Adds the gradients of the pairs of spans `begin` to `end` to `share`.
void AntecedentScorer::add_pairs(const AntecedentPairs& pairs, const AlignedVector<float>& gradient,
                                 std::size_t begin, std::size_t end, Share& share) {
  const std::int64_t hidden = network_.columns();
  make_products(pairs, begin, end, share.products);
  const std::int64_t rows = share.products.rows;
  if (rows == 0) return;
  const float* sums = sum_gradient_.row(static_cast<std::int64_t>(pairs.begins[begin]));
  const ConstFloatView of_sums(sums, rows, hidden);
  multiply(share.products.view().transposed(), of_sums,
           {share.product_weights.data(), columns_, hidden}, Beta::one);
  grow(share.product_gradient.values, rows * columns_);
  multiply(of_sums, product_weights_.matrix().transposed(),
           {share.product_gradient.values.data(), rows, columns_});
  RowPairGradient task;
  task.product_gradient = share.product_gradient.values.data();
  task.row_gradient = share.rows.values.data();
  for (std::size_t n = begin; n < end; ++n) {
    const auto span = static_cast<std::int64_t>(n);
    task.pairs = rows_of(pairs, n);
    task.c = coarse_rows_.row(span);
    task.slopes = gradient.data() + pairs.begins[n];
    task.a_gradient = share.rows.row(span);
    task.c_gradient = coarse_gradient_.row(span);
    row_pair_backward(task);
    task.product_gradient += task.pairs.count * columns_;
    add_column_sums({sums, task.pairs.count, hidden}, span_gradient_.row(span));
    for (std::size_t pair = pairs.begins[n]; pair < pairs.begins[n + 1]; ++pair) {
      const std::int32_t antecedent = pairs.antecedents[pair];
      const Features features = features_of(span, antecedent);
      add(sums, hidden, share.earlier.row(antecedent));
      add(sums, hidden, share.distances.data() + features.distance * hidden);
      add(sums, hidden, share.speakers.data() + features.speaker * hidden);
      sums += hidden;
    }
  }
}

void AntecedentScorer::backward(const AntecedentPairs& pairs, const AlignedVector<float>& gradient,
                                const PassOptions& options, Workers& workers, Matrix& row_gradient,
                                AlignedVector<float>& score_gradient) {
  const std::int64_t spans = kept_->rows.rows;
  const std::int64_t hidden = network_.columns();
  network_.backward(gradient, options, workers, sum_gradient_);
  coarse_gradient_.resize(spans, columns_);
  span_gradient_.resize(spans, hidden);
  workers.run(kShares, [&](std::size_t index) {
    Share& share = shares_[index];
    share.rows.resize(spans, columns_);
    share.earlier.resize(spans, hidden);
    share.product_weights.assign(product_weights_.values.size(), 0.0F);
    share.distances.assign(distances_.values.size(), 0.0F);
    share.speakers.assign(speakers_.values.size(), 0.0F);
  });
  for_each_block(static_cast<std::size_t>(spans), workers,
                 [&](std::size_t begin, std::size_t end, Share& share) {
                   add_pairs(pairs, gradient, begin, end, share);
                 });
  Matrix& earlier = shares_[0].earlier;
  for (std::size_t index = 0; index < kShares; ++index) {
    const Share& share = shares_[index];
    const auto add_to = [](const AlignedVector<float>& from, AlignedVector<float>& to) {
      add(from.data(), static_cast<std::int64_t>(from.size()), to.data());
    };
    add_to(share.rows.values, row_gradient.values);
    add_to(share.product_weights, product_weights_.gradient);
    add_to(share.distances, distances_.gradient);
    add_to(share.speakers, speakers_.gradient);
    if (index > 0) add_to(share.earlier.values, earlier.values);
  }
  add_column_sums({span_gradient_.values.data(), spans, hidden},
                  genres_.gradient.data() + genre_ * hidden);

  const auto through = [&](const Matrix& of_sums, Parameter& weights) {
    multiply(kept_->rows.view().transposed(), of_sums.view(), weights.gradient_matrix(), Beta::one,
             workers);
    multiply(of_sums.view(), weights.matrix().transposed(), row_gradient.view(), Beta::one,
             workers);
  };
  through(span_gradient_, span_weights_);
  through(earlier, earlier_weights_);
  scale(coarse_gradient_);
  through(coarse_gradient_, coarse_);
  for (std::size_t n = 0; n + 1 < pairs.begins.size(); ++n) {
    for (std::size_t pair = pairs.begins[n]; pair < pairs.begins[n + 1]; ++pair) {
      score_gradient[n] += gradient[pair];
      score_gradient[static_cast<std::size_t>(pairs.antecedents[pair])] += gradient[pair];
    }
  }
}

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

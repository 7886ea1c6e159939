#include "core/analysis/substitutes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/kernels/softmax.h"

namespace elmo {
namespace {

/// The logits of one distribution: the best ones, and their normalization.
class BestLogits {
 public:
  explicit BestLogits(std::size_t count) : count_(count) {}

  /// Adds the logits of the words from row `first` on.
  void add(const float* logits, std::int64_t words, std::int64_t first,
           const Vocabulary& vocabulary) {
    accumulate_exponentials(logits, 1, words, words, nullptr, &maximum_, &sum_);
    for (std::int64_t word = 0; word < words; ++word) {
      if (best_.size() == count_ && !(logits[word] > best_.front().logit)) continue;
      const std::int64_t row = first + word;
      if (row == vocabulary.begin_sentence() || row == vocabulary.end_sentence() ||
          row == vocabulary.unknown()) {
        continue;
      }
      if (best_.size() == count_) {
        std::ranges::pop_heap(best_, is_better);
        best_.pop_back();
      }
      best_.push_back({logits[word], row});
      std::ranges::push_heap(best_, is_better);
    }
  }

  std::vector<Substitute> take() {
    require_plausible_logit(maximum_);
    std::ranges::sort_heap(best_, is_better);
    std::vector<Substitute> result;
    for (const Logit& each : best_) {
      require_plausible_logit(each.logit);
      result.push_back({each.row, (double{each.logit} - double{maximum_}) - std::log(sum_)});
    }
    return result;
  }

 private:
  struct Logit {
    float logit;
    std::int64_t row;
  };

  static bool is_better(const Logit& a, const Logit& b) {
    return a.logit > b.logit || (a.logit == b.logit && a.row < b.row);
  }

  std::size_t count_;
  std::vector<Logit> best_;  // a heap with the worst one in front
  float maximum_ = -std::numeric_limits<float>::infinity();
  double sum_ = 0.0;
};

}  // namespace

std::vector<Substitutes> find_substitutes(const FullSoftmax& softmax,
                                          std::span<const float* const> left,
                                          std::span<const float* const> right, std::size_t count,
                                          FullSoftmax::Workspace& workspace) {
  const std::size_t gaps = left.size();
  std::vector<const float*> contexts(left.begin(), left.end());
  contexts.insert(contexts.end(), right.begin(), right.end());
  std::vector<BestLogits> best(3 * gaps, BestLogits(count));  // forward, backward, both of all gaps
  std::vector<float> logits(FullSoftmax::kTileWords);
  std::vector<float> sums(FullSoftmax::kTileWords);
  softmax.for_each_tile(contexts, workspace, [&](const FullSoftmax::Tile& tile) {
    for (std::size_t gap = 0; gap < gaps; ++gap) {
      for (const std::size_t side : {0U, 1U}) {
        const float* products =
            tile.products + static_cast<std::int64_t>(side * gaps + gap) * tile.words;
        for (std::int64_t word = 0; word < tile.words; ++word) {
          const auto at = static_cast<std::size_t>(word);
          logits[at] = products[word] + tile.bias[word];
          sums[at] = side == 0 ? logits[at] : sums[at] + logits[at];
        }
        best[side * gaps + gap].add(logits.data(), tile.words, tile.first, softmax.vocabulary());
      }
      best[2 * gaps + gap].add(sums.data(), tile.words, tile.first, softmax.vocabulary());
    }
  });
  std::vector<Substitutes> result;
  for (std::size_t gap = 0; gap < gaps; ++gap) {
    result.push_back({best[gap].take(), best[gaps + gap].take(), best[2 * gaps + gap].take()});
  }
  return result;
}

}  // namespace elmo

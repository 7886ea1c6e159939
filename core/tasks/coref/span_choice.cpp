#include "core/tasks/coref/span_choice.h"

#include <algorithm>
#include <numeric>

namespace elmo {
namespace {

/// Spans taken so far. Checking whether another span crosses any of them takes time proportional to
/// its length.
class TakenSpans {
 public:
  explicit TakenSpans(std::int64_t rows)
      : last_end_(static_cast<std::size_t>(rows), -1),
        first_begin_(static_cast<std::size_t>(rows) + 1, rows) {}

  bool crosses(const RowSpan& span) const {
    for (std::int64_t row = span.begin + 1; row < span.end; ++row) {
      const auto at = static_cast<std::size_t>(row);
      if (last_end_[at] > span.end || first_begin_[at] < span.begin) return true;
    }
    return false;
  }

  void add(const RowSpan& span) {
    std::int64_t& end = last_end_[static_cast<std::size_t>(span.begin)];
    end = std::max(end, span.end);
    std::int64_t& begin = first_begin_[static_cast<std::size_t>(span.end)];
    begin = std::min(begin, span.begin);
  }

 private:
  std::vector<std::int64_t> last_end_;     // of the spans that begin at each row
  std::vector<std::int64_t> first_begin_;  // of the spans that end at each row
};

}  // namespace

std::vector<RowSpan> spans_within(const Sequences& sequences, std::int64_t longest) {
  std::vector<RowSpan> spans;
  for (std::int64_t b = 0; b < sequences.count(); ++b) {
    const std::int64_t end = sequences.begin(b + 1);
    for (std::int64_t first = sequences.begin(b); first < end; ++first) {
      for (std::int64_t last = first; last < std::min(first + longest, end); ++last) {
        spans.push_back({first, last + 1});
      }
    }
  }
  return spans;
}

std::vector<std::size_t> best_spans(std::span<const RowSpan> spans, std::span<const float> scores,
                                    std::size_t count) {
  std::vector<std::size_t> order(spans.size());
  std::iota(order.begin(), order.end(), 0);
  // NaN is unordered and goes last.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return scores[a] > scores[b] || (scores[a] == scores[a] && scores[b] != scores[b]);
  });
  std::int64_t rows = 0;
  for (const RowSpan& span : spans) rows = std::max(rows, span.end);
  TakenSpans taken(rows);
  std::vector<std::size_t> best;
  for (const std::size_t n : order) {
    if (best.size() == count) break;
    if (taken.crosses(spans[n])) continue;
    taken.add(spans[n]);
    best.push_back(n);
  }
  std::sort(best.begin(), best.end());
  return best;
}

}  // namespace elmo

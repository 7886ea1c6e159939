#include "core/tasks/coref/cluster_scores.h"

#include <map>
#include <utility>
#include <vector>

#include "core/tasks/coref/assignment.h"

namespace elmo {
namespace {

/// For each cluster of one side: the clusters of the other side that share mentions with it, and
/// how many.
using Shared = std::vector<std::map<std::size_t, double>>;

Shared shared_mentions(std::span<const MentionCluster> own,
                       std::span<const MentionCluster> others) {
  std::map<RowSpan, std::size_t> other_of;
  for (std::size_t number = 0; number < others.size(); ++number) {
    for (const RowSpan& mention : others[number]) other_of.emplace(mention, number);
  }
  Shared shared(own.size());
  for (std::size_t number = 0; number < own.size(); ++number) {
    for (const RowSpan& mention : own[number]) {
      const auto found = other_of.find(mention);
      if (found != other_of.end()) shared[number][found->second] += 1.0;
    }
  }
  return shared;
}

/// Numerator and denominator of one side's recall or precision.
struct Part {
  double right = 0.0;
  double whole = 0.0;
};

/// Counts the links that remain when the other side's clusters split each cluster. Mentions missing
/// on the other side become singletons.
Part muc_part(std::span<const MentionCluster> own, const Shared& shared) {
  Part part;
  for (std::size_t number = 0; number < own.size(); ++number) {
    const auto size = static_cast<double>(own[number].size());
    double found = 0.0;
    for (const auto& [other, count] : shared[number]) found += count;
    const double pieces = static_cast<double>(shared[number].size()) + size - found;
    part.right += size - pieces;
    part.whole += size - 1.0;
  }
  return part;
}

Part b_cubed_part(std::span<const MentionCluster> own, const Shared& shared) {
  Part part;
  for (std::size_t number = 0; number < own.size(); ++number) {
    const auto size = static_cast<double>(own[number].size());
    for (const auto& [other, count] : shared[number]) part.right += count * count / size;
    part.whole += size;
  }
  return part;
}

/// The largest sum of φ4 = 2 |K ∩ R| / (|K| + |R|). Clusters that share nothing with any other are
/// left out, because they add nothing.
double best_alignment(std::span<const MentionCluster> own, std::span<const MentionCluster> others,
                      const Shared& shared) {
  std::map<std::size_t, std::int64_t> columns;
  WeightTable table;
  for (const auto& row : shared) {
    if (!row.empty()) ++table.rows;
    for (const auto& [other, count] : row) {
      columns.emplace(other, static_cast<std::int64_t>(columns.size()));
    }
  }
  table.columns = static_cast<std::int64_t>(columns.size());
  table.values.resize(static_cast<std::size_t>(table.rows * table.columns));
  double* values = table.values.data();
  for (std::size_t number = 0; number < own.size(); ++number) {
    if (shared[number].empty()) continue;
    for (const auto& [other, count] : shared[number]) {
      const auto sizes = static_cast<double>(own[number].size() + others[other].size());
      values[columns.at(other)] = 2.0 * count / sizes;
    }
    values += table.columns;
  }
  return best_assignment(table);
}

}  // namespace

void ClusterScores::add(std::span<const MentionCluster> expected,
                        std::span<const MentionCluster> predicted) {
  const Shared recalled = shared_mentions(expected, predicted);
  const Shared right = shared_mentions(predicted, expected);
  const auto add_parts = [](ClusterAgreement& to, const Part& recall, const Part& precision) {
    to.recalled += recall.right;
    to.expected += recall.whole;
    to.right += precision.right;
    to.predicted += precision.whole;
  };
  add_parts(muc_, muc_part(expected, recalled), muc_part(predicted, right));
  add_parts(b_cubed_, b_cubed_part(expected, recalled), b_cubed_part(predicted, right));
  const double aligned = best_alignment(expected, predicted, recalled);
  add_parts(ceaf_e_, {aligned, static_cast<double>(expected.size())},
            {aligned, static_cast<double>(predicted.size())});
}

}  // namespace elmo

#include "core/tasks/coref/coref_scores.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace elmo {

bool CorefGold::can_be_learned() const {
  return std::ranges::any_of(clusters, [](const MentionCluster& one) { return !one.empty(); });
}

std::string CorefGold::text() const {
  std::vector<std::int32_t> given{genre};
  given.insert(given.end(), speakers.begin(), speakers.end());
  std::vector<std::int32_t> mentions;  // begin, end and number of the cluster
  for (std::size_t number = 0; number < clusters.size(); ++number) {
    for (const RowSpan& mention : clusters[number]) {
      for (const std::size_t value : {static_cast<std::size_t>(mention.begin),
                                      static_cast<std::size_t>(mention.end), number}) {
        mentions.push_back(static_cast<std::int32_t>(value));
      }
    }
  }
  std::string text = numbers_text(given) + numbers_text(mentions);
  if (!pronoun) return text;
  const auto line = [](const RowSpan& span, int fact) {
    return std::to_string(span.begin) + " " + std::to_string(span.end) + " " +
           std::to_string(fact) + "\n";
  };
  text += line(pronoun->pronoun, static_cast<int>(pronoun->gender));
  for (const auto& name : pronoun->names) text += line(name.tokens, name.is_meant ? 1 : 0);
  return text;
}

// Antecedents come before their mentions, so one pass over the links in order is enough.
std::vector<MentionCluster> linked_clusters(std::span<const MentionLink> links,
                                            std::span<const RowSpan> mentions) {
  std::vector<MentionCluster> clusters;
  std::unordered_map<std::size_t, std::size_t> cluster_of;
  for (const MentionLink& link : links) {
    const auto [found, is_new] = cluster_of.try_emplace(link.antecedent, clusters.size());
    if (is_new) clusters.push_back({mentions[link.antecedent]});
    const std::size_t cluster = found->second;
    clusters[cluster].push_back(mentions[link.mention]);
    cluster_of.emplace(link.mention, cluster);
  }
  std::ranges::sort(clusters);
  return clusters;
}

namespace {

// Rows are the smaller side. Each row is added along the shortest path to a free column, with costs
// reduced by the potentials.
class Assignment {
 public:
  explicit Assignment(const WeightTable& weights)
      : weights_(weights),
        turned_(weights.rows > weights.columns),
        rows_(static_cast<std::size_t>(std::min(weights.rows, weights.columns))),
        columns_(static_cast<std::size_t>(std::max(weights.rows, weights.columns))),
        row_potentials_(rows_ + 1, 0.0),
        column_potentials_(columns_ + 1, 0.0),
        row_of_(columns_ + 1, rows_),
        before_(columns_ + 1, columns_) {}

  double solve() {
    for (std::size_t row = 0; row < rows_; ++row) add(row);
    double sum = 0.0;
    for (std::size_t column = 0; column < columns_; ++column) {
      if (row_of_[column] < rows_) sum += weight(row_of_[column], column);
    }
    return sum;
  }

 private:
  double weight(std::size_t row, std::size_t column) const {
    const auto stride = static_cast<std::size_t>(weights_.columns);
    return weights_.values[turned_ ? column * stride + row : row * stride + column];
  }

  // Column index columns_ is the start of the path.
  void add(std::size_t new_row) {
    constexpr double kFar = std::numeric_limits<double>::infinity();
    std::vector<double> distances(columns_ + 1, kFar);
    std::vector<bool> done(columns_ + 1, false);
    std::size_t column = columns_;
    row_of_[column] = new_row;
    while (row_of_[column] < rows_) {
      done[column] = true;
      const std::size_t row = row_of_[column];
      std::size_t nearest = columns_;
      double least = kFar;
      for (std::size_t next = 0; next < columns_; ++next) {
        if (done[next]) continue;
        const double cost = -weight(row, next) - row_potentials_[row] - column_potentials_[next];
        if (cost < distances[next]) {
          distances[next] = cost;
          before_[next] = column;
        }
        if (distances[next] < least) {
          least = distances[next];
          nearest = next;
        }
      }
      for (std::size_t next = 0; next <= columns_; ++next) {
        if (done[next]) {
          row_potentials_[row_of_[next]] += least;
          column_potentials_[next] -= least;
        } else {
          distances[next] -= least;
        }
      }
      column = nearest;
    }
    while (column != columns_) {
      row_of_[column] = row_of_[before_[column]];
      column = before_[column];
    }
  }

  const WeightTable& weights_;
  bool turned_;
  std::size_t rows_;
  std::size_t columns_;
  std::vector<double> row_potentials_;
  std::vector<double> column_potentials_;
  std::vector<std::size_t> row_of_;  // row of each column; rows_: free
  std::vector<std::size_t> before_;  // previous column on the path, for each column
};

}  // namespace

double best_assignment(const WeightTable& weights) { return Assignment(weights).solve(); }

namespace {

/// Lists, for each cluster of one side, the clusters of the other side that share mentions with it,
/// and the number of shared mentions.
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

namespace {

ScoreFigure agreement_figure(const std::string& name, const ClusterAgreement& agreement) {
  return {name, std::vector<ScoreFigure>{{"precision", agreement.precision()},
                                         {"recall", agreement.recall()},
                                         {"f1", agreement.f1()}}};
}

AgreementCounts sum(const AgreementCounts& a, const AgreementCounts& b) {
  return {a.expected + b.expected, a.predicted + b.predicted, a.correct + b.correct};
}

bool begins_or_ends_with(const RowSpan& mention, const RowSpan& name) {
  return (mention.begin == name.begin && mention.end >= name.end) ||
         (mention.end == name.end && mention.begin <= name.begin);
}

}  // namespace

void CorefScores::add_pronoun(const AmbiguousPronoun& pronoun,
                              std::span<const MentionCluster> predicted) {
  has_pronouns_ = true;
  AgreementCounts& counts = pairs_[static_cast<std::size_t>(pronoun.gender)];
  const auto cluster = std::ranges::find_if(predicted, [&](const MentionCluster& one) {
    return std::ranges::find(one, pronoun.pronoun) != one.end();
  });
  for (const AmbiguousPronoun::Name& name : pronoun.names) {
    const bool found =
        cluster != predicted.end() && std::ranges::any_of(*cluster, [&](const RowSpan& mention) {
          return begins_or_ends_with(mention, name.tokens);
        });
    if (name.is_meant) ++counts.expected;
    if (found) ++counts.predicted;
    if (name.is_meant && found) ++counts.correct;
  }
}

void CorefScores::add(const TaskRecord& record, const TaskPrediction& prediction) {
  const std::vector<MentionCluster>& predicted = prediction.as<ClusterPrediction>().clusters;
  const auto& gold = record.gold->as<CorefGold>();
  if (gold.pronoun) {
    add_pronoun(*gold.pronoun, predicted);
    return;
  }
  std::vector<MentionCluster> expected = gold.clusters;
  std::erase_if(expected, [](const MentionCluster& cluster) { return cluster.size() < 2; });
  clusters_.add(expected, predicted);
}

double CorefScores::score() const {
  return has_pronouns_ ? sum(pairs_[0], pairs_[1]).f1() : clusters_.f1();
}

std::vector<ScoreFigure> CorefScores::figures() const {
  if (!has_pronouns_) {
    return {{"f1", clusters_.f1()},
            agreement_figure("muc", clusters_.muc()),
            agreement_figure("b_cubed", clusters_.b_cubed()),
            agreement_figure("ceaf_e", clusters_.ceaf_e())};
  }
  const double masculine = pairs_[static_cast<std::size_t>(PronounGender::masculine)].f1();
  const double feminine = pairs_[static_cast<std::size_t>(PronounGender::feminine)].f1();
  return {{"f1", score()},
          {"masculine", masculine},
          {"feminine", feminine},
          {"bias", masculine == 0.0 ? 0.0 : feminine / masculine}};
}

}  // namespace elmo

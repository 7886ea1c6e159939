#include "core/tasks/coref/clusters.h"

#include <map>
#include <unordered_map>

namespace elmo {

std::vector<MentionCluster> clusters_of(std::span<const std::int32_t> labels) {
  std::vector<MentionCluster> clusters;
  std::unordered_map<std::int32_t, std::size_t> indices;
  for (std::size_t i = 0; i + 2 < labels.size(); i += 3) {
    const auto [found, is_new] = indices.try_emplace(labels[i + 2], clusters.size());
    if (is_new) clusters.emplace_back();
    clusters[found->second].push_back({labels[i], labels[i + 1]});
  }
  return clusters;
}

std::vector<std::int32_t> cluster_labels(std::span<const MentionCluster> clusters) {
  std::vector<std::int32_t> labels;
  for (std::size_t number = 0; number < clusters.size(); ++number) {
    for (const RowSpan& mention : clusters[number]) {
      labels.push_back(static_cast<std::int32_t>(mention.begin));
      labels.push_back(static_cast<std::int32_t>(mention.end));
      labels.push_back(static_cast<std::int32_t>(number));
    }
  }
  return labels;
}

void MentionLinks::link(std::int32_t number, std::int32_t antecedent) {
  linked_.push_back(number);
  linked_.push_back(antecedent);
}

// Antecedents come before their spans, so one pass over the links in order is enough.
std::vector<std::vector<std::int32_t>> MentionLinks::clusters() const {
  std::vector<std::vector<std::int32_t>> clusters;
  std::unordered_map<std::int32_t, std::size_t> cluster_of;
  for (std::size_t i = 0; i < linked_.size(); i += 2) {
    const auto [found, is_new] = cluster_of.try_emplace(linked_[i + 1], clusters.size());
    if (is_new) clusters.push_back({linked_[i + 1]});
    const std::size_t cluster = found->second;
    clusters[cluster].push_back(linked_[i]);
    cluster_of.emplace(linked_[i], cluster);
  }
  std::map<std::int32_t, std::vector<std::int32_t>> by_first;
  for (std::vector<std::int32_t>& cluster : clusters) by_first.emplace(cluster.front(), cluster);
  std::vector<std::vector<std::int32_t>> ordered;
  ordered.reserve(by_first.size());
  for (auto& [first, cluster] : by_first) ordered.push_back(std::move(cluster));
  return ordered;
}

}  // namespace elmo

#include "core/tasks/coref/clusters.h"

#include <algorithm>
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

}  // namespace elmo

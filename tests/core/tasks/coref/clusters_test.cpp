#include "core/tasks/coref/clusters.h"

#include <doctest/doctest.h>

#include <vector>

namespace elmo {

TEST_CASE("links grow together to clusters") {
  std::vector<RowSpan> mentions;
  for (std::int64_t row = 0; row < 9; ++row) mentions.push_back({row, row + 2});
  const std::vector<MentionLink> links = {{4, 2}, {5, 3}, {7, 4}, {8, 0}};
  CHECK(linked_clusters(links, mentions) ==
        std::vector<MentionCluster>{{{0, 2}, {8, 10}}, {{2, 4}, {4, 6}, {7, 9}}, {{3, 5}, {5, 7}}});
  const std::vector<MentionCluster> clusters = {{{1, 3}, {5, 6}}, {{2, 3}}, {{8, 9}, {9, 12}}};
  CHECK(clusters_of(cluster_labels(clusters)) == clusters);
}

TEST_CASE("clusters are in the order in which their numbers occur") {
  const std::vector<std::int32_t> labels = {4, 5, 7, 0, 1, 2, 8, 9, 7};
  CHECK(clusters_of(labels) == std::vector<MentionCluster>{{{4, 5}, {8, 9}}, {{0, 1}}});
  CHECK(clusters_of({}).empty());
}

}  // namespace elmo

#include "core/tasks/coref/clusters.h"

#include <doctest/doctest.h>

#include <vector>

namespace elmo {

TEST_CASE("links grow together to clusters") {
  MentionLinks links;
  links.link(4, 2);
  links.link(5, 3);
  links.link(7, 4);
  links.link(8, 0);
  CHECK(links.clusters() == std::vector<std::vector<std::int32_t>>{{0, 8}, {2, 4, 7}, {3, 5}});
  const std::vector<MentionCluster> clusters = {{{1, 3}, {5, 6}}, {{2, 3}}, {{8, 9}, {9, 12}}};
  CHECK(clusters_of(cluster_labels(clusters)) == clusters);
}

TEST_CASE("clusters are in the order in which their numbers occur") {
  const std::vector<std::int32_t> labels = {4, 5, 7, 0, 1, 2, 8, 9, 7};
  CHECK(clusters_of(labels) == std::vector<MentionCluster>{{{4, 5}, {8, 9}}, {{0, 1}}});
  CHECK(clusters_of({}).empty());
}

}  // namespace elmo

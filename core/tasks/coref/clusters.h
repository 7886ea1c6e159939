// Mentions of a document that refer to the same thing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/nn/span_attention.h"

namespace elmo {

/// Mentions in token offsets of the document, of one thing.
using MentionCluster = std::vector<RowSpan>;

/// From triples (begin, end, number of the cluster), as TaskExample::labels of coreference has
/// them; clusters in the order in which their numbers first occur. Any thread.
std::vector<MentionCluster> clusters_of(std::span<const std::int32_t> labels);

/// The triples, clusters numbered in their order. Any thread.
std::vector<std::int32_t> cluster_labels(std::span<const MentionCluster> clusters);

/// Clusters that grow together by links from mentions to earlier ones. One thread.
class MentionLinks {
 public:
  /// Says what span `number` refers back to; numbers are those of any spans, in their order.
  void link(std::int32_t number, std::int32_t antecedent);

  /// The clusters, each in the order of its numbers, by their first ones.
  std::vector<std::vector<std::int32_t>> clusters() const;

 private:
  std::vector<std::int32_t> linked_;  // pairs
};

}  // namespace elmo

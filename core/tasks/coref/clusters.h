// Clusters: mentions of a document that refer to the same thing, and the gold data beside them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/nn/span_attention.h"
#include "core/tasks/common/task_corpus.h"

namespace elmo {

/// Mentions of one thing, in token offsets of the document.
using MentionCluster = std::vector<RowSpan>;

/// Groups triples (begin, end, cluster number) in the format of TaskExample::labels of coreference.
/// Clusters are in the order in which their numbers first occur. Any thread.
std::vector<MentionCluster> clusters_of(std::span<const std::int32_t> labels);

/// The inverse of clusters_of(): triples, with clusters numbered in order. Any thread.
std::vector<std::int32_t> cluster_labels(std::span<const MentionCluster> clusters);

/// A mention and an earlier mention of the same thing, by number.
struct MentionLink {
  std::size_t mention = 0;
  std::size_t antecedent = 0;
};

/// The clusters of linked mentions, ordered by their first mentions. `mentions` ascend, and so do
/// the mentions of `links`. Any thread.
std::vector<MentionCluster> linked_clusters(std::span<const MentionLink> links,
                                            std::span<const RowSpan> mentions);

enum class PronounGender { masculine, feminine };

/// An ambiguous pronoun and two names. It may refer to one of them (GAP, Webster et al. 2018).
/// Positions are tokens of the document.
struct AmbiguousPronoun {
  struct Name {
    RowSpan tokens;
    bool is_meant = false;
  };

  RowSpan pronoun;
  PronounGender gender = PronounGender::masculine;
  std::array<Name, 2> names;
};

/// How a document is scored, and the units of its mentions. A record without this came with tokens
/// and is scored by its clusters.
struct CorefGold : TaskGold {
  bool in_bytes = false;  ///< mentions are written in bytes of the text, else in tokens
  std::optional<AmbiguousPronoun> pronoun;  ///< if set, scored instead of clusters
};

}  // namespace elmo

// A map of the occurrences of a word in a corpus: the plane in which their vectors differ most, and
// clusters of them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/engine/listener.h"
#include "io/engine/neighbors/request.h"

namespace elmo {

/// An occurrence in its sentence. The text is UTF-8 unless a shard has other bytes.
struct MapPoint {
  double x = 0.0;  ///< along the first principal component
  double y = 0.0;
  std::size_t group = 0;  ///< index in WordMap::groups
  std::string file;
  std::uint64_t line = 0;  ///< line where the sentence begins
  std::string before;      ///< up to 30 tokens and 300 bytes of the sentence, after "… " if cut
  std::string word;
  std::string after;
};

/// A cluster of occurrences: an induced sense.
struct MapCluster {
  struct Occurrence {
    double similarity = 0.0;  ///< cosine with the mean of the cluster's vectors of length 1
    std::size_t point = 0;    ///< index in WordMap::points
  };

  std::size_t size = 0;
  std::vector<Occurrence> central;  ///< at most NeighborRequest::count, most similar first
};

struct WordMap {
  std::string word;  ///< the requested word
  std::string layer;
  std::uint64_t occurrences = 0;  ///< number in the corpus
  std::uint64_t seed = 0;         ///< seed of the sample, if there are more occurrences than points
  bool labeled = false;           ///< groups are labels or clusters; otherwise they are documents
  std::array<double, 2> shares{};   ///< shares of the variance along x and y
  std::vector<std::string> groups;  ///< most points first
  std::vector<MapPoint> points;     ///< in corpus order
  // With clusters only; they are the groups, "1" being the largest.
  std::vector<MapCluster> clusters;
  double silhouette = 0.0;  ///< mean over all points
};

/// Projects and clusters the vectors of a word's occurrences, regardless of case. For a run, they
/// are read; for text, only the sentences of the sample are computed. Memory is bounded by the
/// sample. REQUIRES: validate(request) passed. Returns nothing if it was stopped. Errors:
/// InputError for fewer than two occurrences or than clusters, for vectors that are all equal or
/// not finite, for labels of other sentences, and for a run that lacks rows for all tokens;
/// RequestError for a layer that is not there; otherwise as in core and io.
std::optional<WordMap> word_map(const NeighborRequest& request, RunListener& listener,
                                const std::atomic<bool>& stop);

}  // namespace elmo

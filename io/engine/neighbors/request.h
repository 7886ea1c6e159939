// The request to search a corpus, or to map a word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/kernels/precision.h"
#include "io/engine/model.h"
#include "io/labeled/example_file.h"
#include "io/text/input/input_options.h"

namespace elmo {

/// Instead of a number of clusters: the best by silhouette.
inline constexpr std::size_t kAutoClusters = 0;

/// A map of the occurrences of a word, instead of neighbors.
struct MapRequest {
  std::string file;  ///< file that the caller writes; empty: no map
  /// Number of clusters, kAutoClusters for the best by silhouette; nothing: no clusters.
  std::optional<std::size_t> clusters;
  std::size_t sample = 10000;  ///< maximum number of occurrences; of more, a random sample is shown
  std::uint64_t seed = 1;
  std::string labels;  ///< labeled file with the corpus's sentences, if there are no clusters;
                       ///< empty: color by document
  std::string column = ExampleInput{}.column;  ///< label column of `labels`
};

struct NeighborRequest {
  std::vector<std::string> corpus;  ///< a run, or files and folders of text
  /// A sentence with its word in brackets, or the word of a map; empty: queries are on standard
  /// input.
  std::string query;
  ModelSpec model;
  InputOptions input;  ///< how a corpus of text is read
  std::size_t count = 10;
  std::string layer;  ///< empty: the top layer
  // Words to find, regardless of case; all unless one of these is true.
  bool same_word = false;              ///< only the query's word
  bool other_words = false;            ///< all but the query's word
  std::optional<Precision> precision;  ///< nothing: as in the corpus, otherwise float32
  int threads = 0;
  MapRequest map;

  bool any_word() const { return !same_word && !other_words; }
};

/// Returns whether one of the names in the corpus is a run of shards.
bool names_run(const NeighborRequest& request);

/// Throws RequestError for a corpus without names, with names of both a run and other files, or
/// with an HDF5 file; if standard input would be read twice; for a map without a word; and for a
/// map that would replace a file of the corpus. Other errors: as require_manifest.
void validate(const NeighborRequest& request);

}  // namespace elmo

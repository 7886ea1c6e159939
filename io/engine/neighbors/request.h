// The request of `elmo neighbors`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/kernels/precision.h"
#include "io/engine/model.h"
#include "io/engine/request.h"
#include "io/labeled/example_file.h"
#include "io/text/input/input_options.h"

namespace elmo {

/// A map of the occurrences of a word, instead of neighbors.
struct MapRequest {
  std::string file;            ///< empty: no map
  std::size_t sample = 10000;  ///< maximum number of occurrences; of more, a random sample is shown
  std::uint64_t seed = 1;
  std::string labels;  ///< labeled file with the corpus's sentences; empty: color by document
  std::string column = ExampleInput{}.column;  ///< of `labels`
};

struct NeighborRequest {
  GivenOptions given;
  /// A run, or files and folders of text. A name with brackets that is not a file is the query, and
  /// the last of several names that is not a file is the word of a map.
  std::vector<std::string> corpus;
  /// Empty, and none in `corpus`: queries are on standard input. For a map: the word.
  std::string query;
  ModelSpec model;
  InputOptions input;  ///< of the corpus, if it is text
  std::size_t count = 10;
  std::string layer;  ///< empty: the top layer
  // Words to find, regardless of case; all unless one of these is true.
  bool same_word = false;              ///< only the query's word
  bool other_words = false;            ///< all but the query's word
  std::optional<Precision> precision;  ///< nothing: as in the corpus, otherwise float32
  int threads = 0;
  std::optional<bool> json;  ///< nothing: a table on a terminal
  MapRequest map;
  bool quiet = false;

  bool any_word() const { return !same_word && !other_words; }
};

/// Returns whether one of the names in the corpus is a run of shards.
bool names_run(const NeighborRequest& request);

/// Returns the request with the query, or the word of a map, and the names of the corpus told
/// apart: --corpus takes all names up to the next option, including a query after them. Throws
/// RequestError for options that cannot be combined, for names of both a run and others, and for an
/// HDF5 file.
NeighborRequest checked_request(const NeighborRequest& request);

}  // namespace elmo

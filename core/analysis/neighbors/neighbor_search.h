// Nearest neighbors of words in context and without context (Peters et al. 2018, table 4). The
// search is exact: it multiplies all vectors with all queries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/neighbors/nearest.h"
#include "core/analysis/token_layers.h"

namespace elmo {

/// Activations of consecutive tokens, [count, values of a token], as float32 or as the bits of
/// float16. Exactly one of the two pointers is set.
struct TokenRows {
  std::uint64_t first_token = 0;
  std::size_t count = 0;
  const float* floats = nullptr;
  const std::uint16_t* halves = nullptr;
};

/// The layers whose vectors are compared.
struct NeighborLayers {
  TokenLayer context;  ///< for occurrences
  std::optional<TokenLayer>
      without_context;      ///< for words; unset if the activations do not contain it
  std::int64_t values = 0;  ///< numbers per token
};

/// Compares queries with a stream of all tokens of a corpus. Immutable, except Results; any thread,
/// each with its own Results.
class NeighborSearch {
 public:
  /// `queries` [queries, values]: all activations of each query. The search finds `count`
  /// occurrences and `words` words for each query.
  NeighborSearch(NeighborLayers layers, std::span<const float> queries, std::size_t count,
                 std::size_t words);

  std::size_t queries() const { return queries_; }

  /// Neighbors found for each query, and working memory. Not for two threads at once.
  struct Results {
    std::vector<NearestTokens> occurrences;
    std::vector<NearestWords> words;  ///< empty if words are not compared

    std::vector<float> widened, products, scales;
  };
  Results begin() const;

  /// Decides whether a token may be an occurrence of a query. Called only if its cosine is large
  /// enough.
  using Accepts = std::function<bool(std::size_t query, std::uint64_t token)>;

  /// Compares the queries with these tokens. Each Results must receive tokens in order.
  void search(const TokenRows& rows, const Accepts& accepts, Results& results) const;

  /// Adds the neighbors in `from`, found in other tokens, to `to`.
  static void merge(const Results& from, Results& to);

 private:
  /// A layer and the queries' vectors in it, scaled to length 1.
  struct Side {
    TokenLayer layer;
    std::vector<float> queries;  ///< [queries, width]
  };

  Side side(const TokenLayer& layer, std::span<const float> queries) const;
  /// Computes the products [queries, rows.count] and the scales that turn them into cosines.
  void compare(const TokenRows& rows, const Side& side, Results& results) const;

  std::int64_t values_;
  std::size_t queries_;
  std::size_t count_;
  std::size_t words_;
  Side context_;
  std::optional<Side> without_context_;
};

}  // namespace elmo

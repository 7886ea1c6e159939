// Nearest neighbors of words in context, and without (Peters et al. 2018, table 4): exact, by the
// products of all vectors with all queries.
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
/// float16: one of the two is there.
struct TokenRows {
  std::uint64_t first_token = 0;
  std::size_t count = 0;
  const float* floats = nullptr;
  const std::uint16_t* halves = nullptr;
};

/// Which vectors are compared.
struct NeighborLayers {
  TokenLayer context;  ///< of occurrences
  std::optional<TokenLayer>
      without_context;      ///< of words; nothing where activations do not have it
  std::int64_t values = 0;  ///< numbers of a token
};

/// Holds queries against all tokens of a corpus that pass by. Immutable, except Results; any
/// thread, each with Results of its own.
class NeighborSearch {
 public:
  /// `queries` [queries, values]: all activations of each. `count` occurrences and `words` words
  /// are found for each of them.
  NeighborSearch(NeighborLayers layers, std::span<const float> queries, std::size_t count,
                 std::size_t words);

  std::size_t queries() const { return queries_; }

  /// What was found for each query, and memory to work in. Not for two threads at once.
  struct Results {
    std::vector<NearestTokens> occurrences;
    std::vector<NearestWords> words;  ///< empty where words are not compared

    std::vector<float> widened, products, scales;
  };
  Results begin() const;

  /// Whether a token may be among a query's occurrences; asked where its cosine is large enough.
  using Accepts = std::function<bool(std::size_t query, std::uint64_t token)>;

  /// Holds the queries against these tokens. One Results is given tokens in order.
  void search(const TokenRows& rows, const Accepts& accepts, Results& results) const;

  /// Adds what others found in other tokens.
  static void merge(const Results& from, Results& to);

 private:
  /// A layer and the queries' vectors in it, of length 1.
  struct Side {
    TokenLayer layer;
    std::vector<float> queries;  ///< [queries, width]
  };

  Side side(const TokenLayer& layer, std::span<const float> queries) const;
  /// The products [queries, rows.count] and the scales that make cosines of them.
  void compare(const TokenRows& rows, const Side& side, Results& results) const;

  std::int64_t values_;
  std::size_t queries_;
  std::size_t count_;
  std::size_t words_;
  Side context_;
  std::optional<Side> without_context_;
};

}  // namespace elmo

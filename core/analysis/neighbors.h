// Nearest neighbors of words in context and without context (Peters et al. 2018, table 4). The
// search is exact: it multiplies all vectors with all queries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/inference/activations.h"

namespace elmo {

/// A token, by its index in the corpus, and the cosine of its vector with the query.
struct Neighbor {
  float cosine = 0.0F;
  std::uint64_t token = 0;
};

/// The `count` nearest tokens, nearest first; of equal cosines, the earlier token is first. Not for
/// two threads at once.
class NearestTokens {
 public:
  /// `distinct`: keeps only the first of several tokens with the same vector. Stores the vectors.
  explicit NearestTokens(std::size_t count, bool distinct = false)
      : count_(count), distinct_(distinct) {}

  /// A token enters the list only if its cosine is larger than this, provided that tokens come in
  /// order.
  float bound() const {
    return tokens_.size() < count_ ? -std::numeric_limits<float>::infinity()
                                   : tokens_.back().neighbor.cosine;
  }
  /// `vector` is needed only if tokens are distinct.
  void add(const Neighbor& neighbor, std::span<const std::byte> vector = {});
  void merge(const NearestTokens& others);

  std::vector<Neighbor> tokens() const;

 private:
  struct Token {
    Neighbor neighbor;
    std::vector<std::byte> vector;  // empty unless tokens are distinct
  };

  std::size_t count_;
  bool distinct_;
  std::vector<Token> tokens_;
};

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
  TokenLayer context;  ///< layer for occurrences
  /// Layer for words; unset if the activations do not contain it.
  std::optional<TokenLayer> without_context;
  std::int64_t values = 0;  ///< numbers per token
};

/// Compares queries with a stream of all tokens of a corpus. A cosine depends on its two vectors
/// only, not on other queries. Immutable, except Results; any thread, each with its own Results.
class NeighborSearch {
 public:
  /// `queries` [queries, values]: all activations of each query. The search finds `count`
  /// occurrences and `words` words for each query.
  NeighborSearch(NeighborLayers layers, std::span<const float> queries, std::size_t count,
                 std::size_t words);

  /// Neighbors found for each query, and working memory. Not for two threads at once.
  struct Results {
    std::vector<NearestTokens> occurrences;
    std::vector<NearestTokens> words;  ///< empty if words are not compared

    std::vector<float> widened, products, scales;
  };
  Results begin() const;

  /// Decides whether a token may be a neighbor of a query. Called only if its cosine may be large
  /// enough.
  using Accepts = std::function<bool(std::size_t query, std::uint64_t token)>;

  /// Compares the queries with these tokens, as occurrences and as words. Each Results must receive
  /// tokens in order.
  void search(const TokenRows& rows, const Accepts& occurrence, const Accepts& word,
              Results& results) const;

  /// Adds the neighbors in `from`, found in other tokens, to `to`.
  static void merge(const Results& from, Results& to);

 private:
  /// A layer and the queries' vectors in it, scaled to length 1.
  struct Side {
    TokenLayer layer;
    std::vector<float> queries;  ///< [queries, width]
  };

  Side side(const TokenLayer& layer, std::span<const float> queries) const;
  /// Computes the products [queries, rows.count] and the scales that turn them into estimates of
  /// cosines.
  void compare(const TokenRows& rows, const Side& side, Results& results) const;
  /// Adds the nearest of these tokens to `lists` [queries].
  void add_nearest(const TokenRows& rows, const Side& side, const Accepts& accepts,
                   Results& results, std::vector<NearestTokens>& lists) const;

  std::int64_t values_;
  std::size_t queries_;
  std::size_t count_;
  std::size_t words_;
  Side context_;
  std::optional<Side> without_context_;
};

}  // namespace elmo

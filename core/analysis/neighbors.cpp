#include "core/analysis/neighbors.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/kernels/convert.h"
#include "core/kernels/product.h"
#include "core/kernels/row_kernels.h"

namespace elmo {
namespace {

// More than the difference between a cosine and its estimate by a matrix product, which rounds
// differently with other numbers of queries and vectors.
constexpr float kRounding = 1e-5F;

// With fewer queries, they are compared one by one.
constexpr std::size_t kFewQueries = 8;

bool nearer(const Neighbor& a, const Neighbor& b) {
  return a.cosine != b.cosine ? a.cosine > b.cosine : a.token < b.token;
}

/// Calls inner_products() with rows of `stride` values, the first of which begins at value `begin`.
void multiply_rows(std::span<const float> vector, const TokenRows& rows, std::int64_t begin,
                   std::int64_t stride, std::span<float> products, std::span<float> scales) {
  if (rows.halves == nullptr) {
    inner_products(vector, rows.floats + begin, stride, products, scales);
  } else {
    inner_products(vector, rows.halves + begin, stride, products, scales);
  }
}

}  // namespace

void NearestTokens::add(const Neighbor& neighbor, std::span<const std::byte> vector) {
  if (distinct_) {
    const auto same = std::ranges::find_if(tokens_, [&](const Token& token) {
      return token.neighbor.cosine == neighbor.cosine && std::ranges::equal(token.vector, vector);
    });
    if (same != tokens_.end()) {
      same->neighbor.token = std::min(same->neighbor.token, neighbor.token);
      return;
    }
  }
  if (tokens_.size() == count_ && !nearer(neighbor, tokens_.back().neighbor)) return;
  Token token{neighbor, {}};
  if (distinct_) token.vector.assign(vector.begin(), vector.end());
  tokens_.insert(std::ranges::upper_bound(tokens_, neighbor, nearer, &Token::neighbor),
                 std::move(token));
  if (tokens_.size() > count_) tokens_.pop_back();
}

void NearestTokens::merge(const NearestTokens& others) {
  for (const Token& other : others.tokens_) add(other.neighbor, other.vector);
}

std::vector<Neighbor> NearestTokens::tokens() const {
  std::vector<Neighbor> tokens;
  for (const Token& token : tokens_) tokens.push_back(token.neighbor);
  return tokens;
}

NeighborSearch::NeighborSearch(NeighborLayers layers, std::span<const float> queries,
                               std::size_t count, std::size_t words)
    : values_(layers.values),
      queries_(queries.size() / static_cast<std::size_t>(layers.values)),
      count_(count),
      words_(words),
      context_(side(layers.context, queries)) {
  if (layers.without_context) without_context_ = side(*layers.without_context, queries);
}

NeighborSearch::Side NeighborSearch::side(const TokenLayer& layer,
                                          std::span<const float> queries) const {
  Side side{layer, {}};
  for (std::size_t query = 0; query < queries_; ++query) {
    const auto vector = queries.subspan(
        query * static_cast<std::size_t>(values_) + static_cast<std::size_t>(layer.begin),
        static_cast<std::size_t>(layer.width));
    double squares = 0;
    for (const float value : vector) squares += double{value} * double{value};
    const double factor = squares > 0 ? 1 / std::sqrt(squares) : 0;
    for (const float value : vector) side.queries.push_back(static_cast<float>(value * factor));
  }
  return side;
}

NeighborSearch::Results NeighborSearch::begin() const {
  Results results;
  results.occurrences.assign(queries_, NearestTokens(count_));
  if (without_context_) results.words.assign(queries_, NearestTokens(words_, true));
  return results;
}

void NeighborSearch::compare(const TokenRows& rows, const Side& side, Results& results) const {
  results.products.resize(rows.count * queries_);
  results.scales.resize(rows.count);
  // A matrix product with few queries would first copy all vectors into another order. The vectors'
  // lengths are computed along with the first query.
  const auto width = static_cast<std::size_t>(side.layer.width);
  const std::size_t alone = queries_ < kFewQueries ? queries_ : 1;
  for (std::size_t query = 0; query < alone; ++query) {
    const auto vector = std::span(side.queries).subspan(query * width, width);
    const auto products = std::span(results.products).subspan(query * rows.count, rows.count);
    multiply_rows(vector, rows, side.layer.begin, values_, products, results.scales);
  }
  if (alone == queries_) return;
  const auto count = static_cast<std::int64_t>(rows.count);
  ConstFloatView vectors;
  if (rows.halves == nullptr) {
    vectors = {rows.floats + side.layer.begin, count, side.layer.width, values_};
  } else {
    results.widened.resize(rows.count * width);
    for (std::size_t row = 0; row < rows.count; ++row) {
      const std::uint16_t* from =
          rows.halves + static_cast<std::int64_t>(row) * values_ + side.layer.begin;
      from_float16({from, width}, std::span(results.widened).subspan(row * width, width));
    }
    vectors = {results.widened.data(), count, side.layer.width};
  }
  const auto queries = static_cast<std::int64_t>(queries_);
  multiply({side.queries.data(), queries, side.layer.width}, vectors.transposed(),
           {results.products.data(), queries, count});
}

void NeighborSearch::add_nearest(const TokenRows& rows, const Side& side, const Accepts& accepts,
                                 Results& results, std::vector<NearestTokens>& lists) const {
  compare(rows, side, results);
  const auto width = static_cast<std::size_t>(side.layer.width);
  const std::span<float> scales = results.scales;
  for (std::size_t query = 0; query < queries_; ++query) {
    const auto vector = std::span(side.queries).subspan(query * width, width);
    const auto products = std::span(results.products).subspan(query * rows.count, rows.count);
    NearestTokens& nearest = lists[query];
    for (std::size_t row = 0; row < rows.count; ++row) {
      const float estimate = products[row] * scales[row];
      const std::uint64_t token = rows.first_token + row;
      if (!(estimate > nearest.bound() - kRounding) || !accepts(query, token)) continue;
      const std::int64_t begin = static_cast<std::int64_t>(row) * values_ + side.layer.begin;
      multiply_rows(vector, rows, begin, values_, products.subspan(row, 1), scales.subspan(row, 1));
      const float cosine = products[row] * scales[row];
      if (!(cosine > nearest.bound())) continue;
      const auto found = rows.halves == nullptr
                             ? std::as_bytes(std::span(rows.floats + begin, width))
                             : std::as_bytes(std::span(rows.halves + begin, width));
      nearest.add({cosine, token}, found);
    }
  }
}

void NeighborSearch::search(const TokenRows& rows, const Accepts& occurrence, const Accepts& word,
                            Results& results) const {
  add_nearest(rows, context_, occurrence, results, results.occurrences);
  if (without_context_) add_nearest(rows, *without_context_, word, results, results.words);
}

void NeighborSearch::merge(const Results& from, Results& to) {
  for (std::size_t query = 0; query < from.occurrences.size(); ++query) {
    to.occurrences[query].merge(from.occurrences[query]);
  }
  for (std::size_t query = 0; query < from.words.size(); ++query) {
    to.words[query].merge(from.words[query]);
  }
}

}  // namespace elmo

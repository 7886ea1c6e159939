#include "core/analysis/neighbors.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "core/kernels/convert.h"

namespace elmo {
namespace {

bool any_token(std::size_t /*query*/, std::uint64_t /*token*/) { return true; }

constexpr std::size_t kCorpusTokens = 600;
constexpr std::size_t kCorpusWords = 40;
constexpr std::size_t kTokenValues = 9;  // x and one layer

NeighborLayers layers() {
  NeighborLayers layers;
  layers.context = {"1", 3, 6};
  layers.without_context = TokenLayer{"x", 0, 3};
  layers.values = kTokenValues;
  return layers;
}

/// Activations of tokens; the first numbers depend on the word only.
std::vector<float> made_tokens() {
  std::mt19937 chance(3);
  std::normal_distribution<float> normal;
  std::vector<float> words(kCorpusWords * 3);
  for (float& value : words) value = normal(chance);
  std::vector<float> values;
  for (std::size_t token = 0; token < kCorpusTokens; ++token) {
    const std::size_t word = token * token % kCorpusWords;
    for (std::size_t i = 0; i < 3; ++i) values.push_back(words[word * 3 + i]);
    for (std::size_t i = 3; i < kTokenValues; ++i) values.push_back(normal(chance));
  }
  std::vector<std::uint16_t> halves(values.size());
  to_float16(values, halves);
  from_float16(halves, values);  // so that both types have the same cosines
  return values;
}

double cosine(const float* a, const float* b, const TokenLayer& layer) {
  double product = 0;
  double squares[2] = {0, 0};
  for (std::int64_t i = layer.begin; i < layer.begin + layer.width; ++i) {
    product += double{a[i]} * double{b[i]};
    squares[0] += double{a[i]} * double{a[i]};
    squares[1] += double{b[i]} * double{b[i]};
  }
  return product / std::sqrt(squares[0] * squares[1]);
}

/// Returns all tokens that may be found, nearest first.
std::vector<std::pair<double, std::uint64_t>> nearest(const std::vector<float>& tokens,
                                                      const float* query, const TokenLayer& layer,
                                                      bool words) {
  std::vector<std::pair<double, std::uint64_t>> found;
  std::map<std::size_t, bool> seen;
  for (std::size_t token = 0; token < kCorpusTokens; ++token) {
    if (words && std::exchange(seen[token * token % kCorpusWords], true)) continue;
    if (!words && token % 3 == 0) continue;
    found.emplace_back(-cosine(query, tokens.data() + token * kTokenValues, layer), token);
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace

TEST_CASE("NeighborSearch: results equal cosines computed one by one, in every format") {
  const std::vector<float> tokens = made_tokens();
  std::vector<std::uint16_t> halves(tokens.size());
  to_float16(tokens, halves);
  const auto accepts = [](std::size_t, std::uint64_t token) { return token % 3 != 0; };
  for (const std::size_t queries : {1UL, 3UL, 30UL}) {
    for (const bool half : {false, true}) {
      CAPTURE(queries);
      CAPTURE(half);
      const std::span<const float> asked = std::span(tokens).first(queries * kTokenValues);
      const NeighborSearch search(layers(), asked, 5, 4);
      // Two searches read alternate pieces, as threads do.
      std::vector<NeighborSearch::Results> results(2, search.begin());
      for (std::size_t begin = 0; begin < kCorpusTokens; begin += 70) {
        TokenRows rows{begin, std::min<std::size_t>(70, kCorpusTokens - begin), nullptr, nullptr};
        if (half) {
          rows.halves = halves.data() + begin * kTokenValues;
        } else {
          rows.floats = tokens.data() + begin * kTokenValues;
        }
        search.search(rows, accepts, any_token, results[begin / 70 % 2]);
      }
      NeighborSearch::merge(results[1], results[0]);
      for (std::size_t query = 0; query < queries; ++query) {
        const auto check = [&](const std::vector<Neighbor>& found, const TokenLayer& layer,
                               bool words, std::size_t count) {
          const auto expected = nearest(tokens, asked.data() + query * kTokenValues, layer, words);
          REQUIRE(found.size() == count);
          for (std::size_t i = 0; i < count; ++i) {
            CHECK(found[i].token == expected[i].second);
            CHECK(double{found[i].cosine} == doctest::Approx(-expected[i].first).epsilon(1e-5));
          }
        };
        check(results[0].occurrences[query].tokens(), layers().context, false, 5);
        check(results[0].words[query].tokens(), *layers().without_context, true, 4);
      }
    }
  }
}

TEST_CASE("NearestTokens: fewer tokens than requested, and the earlier of equal ones") {
  NearestTokens nearest(3);
  CHECK(nearest.tokens().empty());
  nearest.add({0.5F, 7});
  nearest.add({0.5F, 2});
  CHECK(nearest.tokens().size() == 2);
  CHECK(nearest.tokens()[0].token == 2);
  nearest.add({0.9F, 9});
  nearest.add({0.5F, 1});
  CHECK(nearest.tokens()[0].token == 9);
  CHECK(nearest.tokens()[2].token == 2);
  CHECK(nearest.bound() == 0.5F);
}

TEST_CASE("NeighborSearch: zero vectors are near nothing") {
  const std::vector<float> zeros(kTokenValues);
  const NeighborSearch search(layers(), zeros, 2, 2);
  NeighborSearch::Results results = search.begin();
  search.search({0, 1, zeros.data(), nullptr}, any_token, any_token, results);
  REQUIRE(results.occurrences[0].tokens().size() == 1);
  CHECK(results.occurrences[0].tokens()[0].cosine == 0);
}

}  // namespace elmo

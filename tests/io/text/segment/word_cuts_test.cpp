// Words of Han and kana: the dictionary's, corrected by weights.
#include "io/text/segment/word_cuts.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace elmo {
namespace {

using Ends = std::vector<std::size_t>;
using Weights = std::initializer_list<std::pair<std::u32string, float>>;

/// The ends of the words of a run that the dictionary ends at `ends`.
Ends corrected(std::u32string_view run, Ends ends, Weights list) {
  CutWeights weights;
  for (const auto& [feature, weight] : list) weights.add(feature, weight);
  correct_cuts(run, weights, ends);
  return ends;
}

}  // namespace

TEST_CASE("the weight of a feature adds a cut, or removes one") {
  const std::u32string run = U"日本人は四人";
  const Ends ends{2, 3, 4, 6};
  CHECK(corrected(run, ends, {{U"1", 1.0F}}) == ends);
  CHECK(corrected(run, ends, {}) == Ends{6});
  CHECK(corrected(run, ends, {{U"1", 1.0F}, {U"1b本人", -2.0F}}) == Ends{3, 4, 6});
  CHECK(corrected(run, ends, {{U"1", 1.0F}, {U"0b四人", 0.5F}}) == Ends{2, 3, 4, 5, 6});
}

TEST_CASE("features are of characters, kinds, lengths and words") {
  const std::u32string run = U"日本人は四人";
  const Ends ends{2, 3, 4, 6};
  for (const char32_t* feature : {U"l日", U"r本", U"b日本", U"t^CCC", U"p^日", U"q本人", U"n11CC",
                                  U"L日", U"R本", U"W1日本"}) {
    const std::u32string name = U"0" + std::u32string(feature);
    CHECK(corrected(run, ends, {{U"1", 1.0F}, {name, 0.5F}}).front() == 1);
  }
  for (const char32_t* feature : {U"l人", U"rは", U"b人は", U"tCCHN", U"p本人", U"qは四", U"n11CH",
                                  U"L人", U"Rは", U"W人は"}) {
    const std::u32string name = U"1" + std::u32string(feature);
    CHECK(corrected(run, ends, {{name, 0.5F}}).front() == 3);
  }
  CHECK(corrected(U"カーは", {2, 3}, {{U"1tKKH$", 1.0F}}) == Ends{2, 3});
}

TEST_CASE("the last end is the end of the run") {
  CHECK(corrected(U"人", {1}, {{U"1", -1.0F}, {U"0", -1.0F}}) == Ends{1});
  CHECK(corrected(U"人人人", {1, 2, 3}, {{U"1", -1.0F}}) == Ends{3});
  std::mt19937 chance(1);
  CutWeights weights;
  weights.add(U"0", -0.5F);
  weights.add(U"0l人", 1.0F);
  weights.add(U"1r人", 1.0F);
  for (int round = 0; round < 200; ++round) {
    std::u32string run;
    Ends ends;
    for (std::size_t at = 1; at <= 1 + chance() % 40; ++at) {
      run += U"人本はカ"[chance() % 4];
      if (chance() % 2 == 0) ends.push_back(run.size());
    }
    if (ends.empty() || ends.back() != run.size()) ends.push_back(run.size());
    correct_cuts(run, weights, ends);
    CHECK(ends.back() == run.size());
    for (std::size_t at = 1; at < ends.size(); ++at) CHECK(ends[at - 1] < ends[at]);
  }
}

}  // namespace elmo

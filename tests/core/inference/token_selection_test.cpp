#include "core/inference/token_selection.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdlib>
#include <set>
#include <utility>

#include "tests/core/inference/collect.h"

namespace elmo {
namespace {

// Tokens "0", "1", … in sentences of up to four tokens, some empty.
Sentences numbered(std::size_t tokens) {
  Sentences sentences;
  for (std::size_t next = 0; next < tokens;) {
    sentences.emplace_back();
    for (std::size_t count = sentences.size() % 5; count > 0 && next < tokens; --count) {
      sentences.back().push_back(std::to_string(next++));
    }
  }
  return sentences;
}

std::set<int> sample(const Sentences& sentences, std::size_t size, std::uint64_t seed) {
  ListSource source(sentences);
  const std::atomic<bool> stop = false;
  TokenSample sampled(source, size, seed, stop);
  std::set<int> tokens;
  Sentence sentence;
  std::size_t number = 0;
  for (; sampled.next(sentence); ++number) {
    REQUIRE(number < sentences.size());
    if (sentence.is_left_out()) continue;
    CHECK(sentence.size() == sentences[number].size());
    for (std::size_t kept = 0; kept < sentence.kept_count(); ++kept) {
      const std::string token(sentence.token(sentence.kept_token(kept)));
      CHECK(tokens.insert(std::stoi(token)).second);
    }
  }
  CHECK(number == sentences.size());
  return tokens;
}

TEST_CASE("a sample has the requested number of tokens, drawn uniformly") {
  constexpr std::size_t kTokens = 50;
  constexpr std::size_t kSize = 10;
  constexpr int kDraws = 4000;
  const Sentences sentences = numbered(kTokens);
  std::array<int, kTokens> drawn{};
  for (int seed = 0; seed < kDraws; ++seed) {
    const std::set<int> tokens = sample(sentences, kSize, static_cast<std::uint64_t>(seed));
    REQUIRE(tokens.size() == kSize);
    for (const int token : tokens) ++drawn[static_cast<std::size_t>(token)];
  }
  // 800 are expected each, with a standard deviation of 25. Seeds are fixed, so this never fails by
  // chance.
  for (const int count : drawn) CHECK(std::abs(count - 800) < 110);
  CHECK(sample(sentences, kSize, 1) == sample(sentences, kSize, 1));
  CHECK(sample(sentences, kTokens, 1).size() == kTokens);
  CHECK(sample(sentences, 3 * kTokens, 1).size() == kTokens);
  CHECK(sample({}, 5, 1).empty());
}

TEST_CASE("a sample is drawn from the tokens that its source keeps") {
  const Sentences sentences = numbered(300);
  ListSource source(sentences);
  SelectingSource odd(source, [](std::string_view token) { return (token.back() - '0') % 2 == 1; });
  const std::atomic<bool> stop = false;
  TokenSample sampled(odd, 20, 1, stop);
  std::size_t count = 0;
  for (Sentence sentence; sampled.next(sentence);) {
    for (std::size_t kept = 0; kept < sentence.kept_count(); ++kept, ++count) {
      CHECK((sentence.token(sentence.kept_token(kept)).back() - '0') % 2 == 1);
    }
  }
  CHECK(count == 20);
}

TEST_CASE("drawing a sample can be stopped") {
  ListSource source(numbered(100));
  const std::atomic<bool> stop = true;
  TokenSample sampled(source, 5, 1, stop);
  Sentence sentence;
  CHECK_THROWS_AS(sampled.next(sentence), ReadingStopped);
}

}  // namespace
}  // namespace elmo

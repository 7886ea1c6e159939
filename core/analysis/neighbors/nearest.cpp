#include "core/analysis/neighbors/nearest.h"

#include <algorithm>
#include <cmath>

namespace elmo {

namespace {

// Maximum difference between cosines of the same vector at different positions.
constexpr float kRounding = 1e-5F;

bool nearer(const Neighbor& a, const Neighbor& b) {
  return a.cosine != b.cosine ? a.cosine > b.cosine : a.token < b.token;
}

}  // namespace

void NearestTokens::add(const Neighbor& neighbor) {
  if (tokens_.size() == count_ && !nearer(neighbor, tokens_.back())) return;
  tokens_.insert(std::ranges::upper_bound(tokens_, neighbor, nearer), neighbor);
  if (tokens_.size() > count_) tokens_.pop_back();
}

void NearestTokens::add(const NearestTokens& others) {
  for (const Neighbor& other : others.tokens_) add(other);
}

void NearestWords::add(const Neighbor& neighbor, std::span<const std::byte> vector) {
  const auto same = std::ranges::find_if(words_, [&](const Word& word) {
    return std::abs(word.nearest.cosine - neighbor.cosine) <= kRounding &&
           std::ranges::equal(word.vector, vector);
  });
  if (same != words_.end()) {
    same->nearest.token = std::min(same->nearest.token, neighbor.token);
    return;
  }
  if (words_.size() == count_ && !nearer(neighbor, words_.back().nearest)) return;
  words_.insert(std::ranges::upper_bound(words_, neighbor, nearer, &Word::nearest),
                {neighbor, {vector.begin(), vector.end()}});
  if (words_.size() > count_) words_.pop_back();
}

void NearestWords::add(const NearestWords& others) {
  for (const Word& other : others.words_) add(other.nearest, other.vector);
}

std::vector<Neighbor> NearestWords::tokens() const {
  std::vector<Neighbor> tokens;
  for (const Word& word : words_) tokens.push_back(word.nearest);
  return tokens;
}

}  // namespace elmo

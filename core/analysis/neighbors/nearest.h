// Collects the nearest few of many vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

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
  explicit NearestTokens(std::size_t count) : count_(count) {}

  /// A token enters the list only if its cosine is larger than this, provided that tokens come in
  /// order.
  float bound() const {
    return tokens_.size() < count_ ? -std::numeric_limits<float>::infinity()
                                   : tokens_.back().cosine;
  }
  void add(const Neighbor& neighbor);
  void add(const NearestTokens& others);

  const std::vector<Neighbor>& tokens() const { return tokens_; }

 private:
  std::size_t count_;
  std::vector<Neighbor> tokens_;
};

/// Like NearestTokens, but keeps only the first of several tokens with the same vector. Stores the
/// vectors.
class NearestWords {
 public:
  explicit NearestWords(std::size_t count) : count_(count) {}

  /// A token enters the list only if its cosine is larger than this, provided that tokens come in
  /// order.
  float bound() const {
    return words_.size() < count_ ? -std::numeric_limits<float>::infinity()
                                  : words_.back().nearest.cosine;
  }
  void add(const Neighbor& neighbor, std::span<const std::byte> vector);
  void add(const NearestWords& others);

  std::vector<Neighbor> tokens() const;

 private:
  struct Word {
    Neighbor nearest;
    std::vector<std::byte> vector;
  };

  std::size_t count_;
  std::vector<Word> words_;
};

}  // namespace elmo

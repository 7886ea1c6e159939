// The nearest few of many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace elmo {

/// A token, numbered in its corpus, and how near its vector is.
struct Neighbor {
  float cosine = 0.0F;
  std::uint64_t token = 0;
};

/// The `count` nearest tokens, the nearest first, of equal ones the earlier token. Not for two
/// threads at once.
class NearestTokens {
 public:
  explicit NearestTokens(std::size_t count) : count_(count) {}

  /// A token comes among them only where its cosine is larger, if tokens come in order.
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

/// The same, but of tokens with one and the same vector the first one only. Keeps the vectors.
class NearestWords {
 public:
  explicit NearestWords(std::size_t count) : count_(count) {}

  /// A token comes among them only where its cosine is larger, if tokens come in order.
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

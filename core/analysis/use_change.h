// How far the uses of a word in two corpora differ (Kutuzov and Giulianelli 2020), by the vectors
// of its occurrences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace elmo {

/// Cosine distances of a word's uses in two corpora.
struct UseChange {
  double apd = 0;      ///< average pairwise distance: of a use in one corpus and one in the other
  double prt = 0;      ///< of the two prototypes, the mean vectors
  double within1 = 0;  ///< mean over the pairs of different uses in the first corpus
  double within2 = 0;

  /// How much farther uses in different corpora are from each other than uses in one corpus.
  double difference() const { return apd - (within1 + within2) / 2; }
};

/// Sums over the vectors of a word's uses in one corpus: a mean of cosines is a product of means of
/// unit vectors. Memory: 16 bytes per number of a vector. Not for two threads at once.
class UseSums {
 public:
  /// Vectors have `width` numbers.
  explicit UseSums(std::size_t width) : sum_(width), unit_sum_(width) {}

  /// Adds a vector of finite numbers. A vector of zeros has the cosine 0 with others.
  void add(std::span<const float> vector);

  std::uint64_t count() const { return count_; }

  /// Returns nothing unless there are two uses or more in each corpus.
  static std::optional<UseChange> change(const UseSums& first, const UseSums& second);

 private:
  double distance_within() const;

  std::uint64_t count_ = 0;
  double unit_squares_ = 0;       ///< sum of the squared lengths of the unit vectors
  std::vector<double> sum_;       ///< of the vectors
  std::vector<double> unit_sum_;  ///< of the unit vectors
};

}  // namespace elmo

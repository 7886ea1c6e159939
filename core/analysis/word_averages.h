// Computes the mean vector of each word of a corpus.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/inference/activations.h"
#include "core/text.h"

namespace elmo {

/// A word type of a corpus.
struct AveragedWord {
  std::string_view text;
  std::uint64_t count = 0;
  std::span<const double> sums;  ///< [R · W], sums over the vectors of all its occurrences

  /// Writes the mean vector to `values` [R · W].
  void mean(std::span<float> values) const;
};

/// Sums the vectors of kept tokens by word, in double, in token order, so that sums depend on the
/// text only. ASCII blanks in a token (CoNLL-U may have them) and an empty token become `_`, for
/// formats that end a word with a blank. Memory per word: 8 · R · W bytes, the text, and about 100
/// bytes. One thread.
class WordAverages final : public ActivationSink {
 public:
  explicit WordAverages(const ActivationLayout& layout)
      : dimensions_(static_cast<std::size_t>(layout.values_per_token())) {}

  void write(const ActivationBatch& batch) override;

  std::size_t dimensions() const { return dimensions_; }  ///< R · W
  std::size_t size() const { return words_.size(); }      ///< words

  /// Returns the words that occur at least `min_count` times, most frequent first, equally frequent
  /// ones in byte order. The views are valid until the next write().
  std::vector<AveragedWord> words(std::uint64_t min_count) const;

 private:
  struct Sum {
    std::uint64_t count = 0;
    std::vector<double> values;
  };

  void add(std::string_view token, const float* values);

  std::size_t dimensions_;
  TextMap<Sum> words_;
  std::string joined_;
};

}  // namespace elmo

// The mean vector of each word of a corpus.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/inference/sink.h"

namespace elmo {

/// A word type that a corpus has.
struct AveragedWord {
  std::string_view text;
  std::uint64_t count = 0;
  std::span<const double> sums;  ///< [R · W] of the vectors of all its places
};

/// Sums the vectors of kept tokens by their text, in double, in the order of the tokens, so that
/// sums depend on the text only. ASCII blanks within a token (CoNLL-U may have them) count as `_`,
/// for formats that end a word by a blank. Memory: 8 · R · W bytes and the text for each word, and
/// about 100 more. One thread.
class WordAverages final : public ActivationSink {
 public:
  explicit WordAverages(const ActivationLayout& layout)
      : dimensions_(static_cast<std::size_t>(layout.values_per_token())) {}

  void write(const ActivationBatch& batch) override;
  void end_segment(const SegmentEnd&) override {}
  void finish() override {}

  std::size_t dimensions() const { return dimensions_; }  ///< R · W
  std::size_t size() const { return words_.size(); }      ///< words

  /// The words that occur at least so often, the most frequent first, equally frequent ones in the
  /// order of their bytes. Views, valid until the next write().
  std::vector<AveragedWord> words(std::uint64_t min_count) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  struct Sum {
    std::uint64_t count = 0;
    std::vector<double> values;
  };

  void add(std::string_view token, const float* values);

  std::size_t dimensions_;
  std::unordered_map<std::string, Sum, Hash, std::equal_to<>> words_;
  std::string joined_;
};

}  // namespace elmo

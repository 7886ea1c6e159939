// A linear model that corrects where ICU's dictionaries end words of Han and kana.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/text.h"

namespace elmo {

/// The weights of a language, by feature (cut_features in word_cuts.cpp names them). The script
/// tests/bench/word_cuts.py trains them. Without weights, words are those of the dictionary.
class CutWeights {
 public:
  /// Sets the weight of a feature.
  void add(const std::u32string& feature, float weight) { weights_[feature] = weight; }

  bool empty() const { return weights_.empty(); }

  /// Returns the weight of a feature, 0 if it has none.
  float operator[](std::u32string_view feature) const;

 private:
  TextMap<float, std::u32string> weights_;
};

/// Replaces the ends of the dictionary's words in `run`, characters of Han and kana, with those of
/// the model. Ends ascend; the last is the end of the run. Takes linear time.
void correct_cuts(std::u32string_view run, const CutWeights& weights,
                  std::vector<std::size_t>& ends);

}  // namespace elmo

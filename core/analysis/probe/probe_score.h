// Accuracy of predicted labels, with a confidence interval.
#pragma once

#include <cstdint>
#include <span>

#include "core/analysis/probe/label_corpus.h"

namespace elmo {

/// All figures in percent.
struct ProbeScore {
  double accuracy = 0.0;
  /// Bounds of the 95 % confidence interval of the accuracy.
  double low = 0.0;
  double high = 0.0;
  std::uint64_t unknown_tokens = 0;  ///< number of tokens whose words are not in the training data
  double unknown = 0.0;              ///< accuracy on these tokens; 0 if there are none
};

/// Compares `predicted` [tokens] with the corpus's labels. The bounds come from the bootstrap over
/// sentences (Efron and Tibshirani 1993, section 13.3: percentiles of 1,000 samples), because
/// errors of tokens in one sentence are not independent. Any thread.
ProbeScore score_labels(const LabelCorpus& corpus, std::span<const std::int32_t> predicted,
                        std::uint64_t seed);

}  // namespace elmo

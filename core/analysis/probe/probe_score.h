// How often predictions of a corpus are right, and how sure that figure is.
#pragma once

#include <cstdint>
#include <span>

#include "core/analysis/probe/label_corpus.h"

namespace elmo {

/// All in percent.
struct ProbeScore {
  double accuracy = 0.0;
  /// Bounds between which the accuracy of such a corpus lies 19 times out of 20.
  double low = 0.0;
  double high = 0.0;
  std::uint64_t unknown_tokens = 0;  ///< whose words training never had
  double unknown = 0.0;              ///< accuracy on them; 0 where there are none
};

/// Compares `predicted` [tokens] with the corpus's labels. The bounds are those of the bootstrap
/// over sentences (Efron and Tibshirani 1993, section 13.3: percentiles of 1,000 samples), since
/// tokens of one sentence do not err independently. Any thread.
ProbeScore score_labels(const LabelCorpus& corpus, std::span<const std::int32_t> predicted,
                        std::uint64_t seed);

}  // namespace elmo

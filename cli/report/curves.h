// Curves of training runs, drawn as SVG.
#pragma once

#include <span>
#include <string>

#include "io/train/metrics_log.h"

namespace elmo {

/// A run and what it is called in the legend.
struct PlottedRun {
  std::string name;
  MetricsRecords records;
};

/// An SVG document that needs nothing else: training loss above validation perplexity (logarithmic
/// axis), both over steps. One run has a curve for each direction, and for the average of their
/// perplexities; of several runs, each has its mean loss and its average perplexity. Values that
/// are not finite, or beyond 10^100, leave gaps. Each curve has a few hundred points at most, means
/// of neighbours.
std::string curves_svg(std::span<const PlottedRun> runs);

}  // namespace elmo

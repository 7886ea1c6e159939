// Curves of training runs, drawn as SVG.
#pragma once

#include <span>
#include <string>

#include "cli/report/series.h"

namespace elmo {

/// An SVG document that needs nothing else: training loss above validation perplexity (logarithmic
/// axis), both over steps, see panels_of(). What is not drawable leaves gaps.
std::string curves_svg(std::span<const PlottedRun> runs);

}  // namespace elmo

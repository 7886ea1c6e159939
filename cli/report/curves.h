// Curves of training runs, drawn as SVG.
#pragma once

#include <span>
#include <string>

#include "cli/report/series.h"

namespace elmo {

/// Returns a self-contained SVG document: training loss above validation perplexity (logarithmic
/// axis), both over steps; see panels_of(). Points that are not drawable leave gaps.
std::string curves_svg(std::span<const PlottedRun> runs);

}  // namespace elmo

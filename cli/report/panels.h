// Stacked panels of curves, drawn as SVG.
#pragma once

#include <span>
#include <string>

#include "cli/report/series.h"

namespace elmo {

/// The horizontal axis of all panels.
struct PanelsOver {
  std::string name;  ///< below the last panel
  double low = 0.0;
  double high = 1.0;         ///< more than `low`
  bool logarithmic = false;  ///< then `low` is positive
};

/// Returns a self-contained SVG document. `title` is for screen readers. Points that are not
/// drawable leave gaps.
std::string panels_svg(const std::string& title, std::span<const Panel> panels,
                       const PanelsOver& over);

}  // namespace elmo

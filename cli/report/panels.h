// Panels of curves one above the other, drawn as SVG.
#pragma once

#include <span>
#include <string>

#include "cli/report/series.h"

namespace elmo {

/// What the values of all panels are over.
struct PanelsOver {
  std::string name;  ///< below the last panel
  double low = 0.0;
  double high = 1.0;         ///< more than `low`
  bool logarithmic = false;  ///< then `low` is positive
};

/// An SVG document that needs nothing else. `title` is for people who do not see it. What is not
/// drawable leaves gaps.
std::string panels_svg(const std::string& title, std::span<const Panel> panels,
                       const PanelsOver& over);

}  // namespace elmo

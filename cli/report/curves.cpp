#include "cli/report/curves.h"

#include <algorithm>
#include <array>

#include "cli/report/panels.h"

namespace elmo {

std::string curves_svg(std::span<const PlottedRun> runs) {
  const std::array<Panel, 2> panels = panels_of(runs);
  double last_step = 1;
  for (const Panel& panel : panels) {
    for (const Curve& curve : panel.curves) {
      if (!curve.points.empty()) last_step = std::max(last_step, curve.points.back().x);
    }
  }
  return panels_svg("Training loss and validation perplexity over steps", panels,
                    {"steps", 0, last_step});
}

}  // namespace elmo

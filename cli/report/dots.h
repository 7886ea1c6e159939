// Dot plots: values by category with error bars, drawn as SVG.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace elmo {

/// A value with its lower and upper bound, all finite. Equal bounds are not drawn.
struct Dot {
  double value = 0.0;
  double low = 0.0;
  double high = 0.0;
};

struct DotSeries {
  std::string name;
  std::vector<std::optional<Dot>> dots;  ///< [categories]
};

/// Series with the same categories and axes.
struct DotPanel {
  std::string title;
  std::vector<std::string> categories;
  std::vector<DotSeries> series;
};

/// Returns a self-contained SVG document. `title` is for screen readers.
std::string dots_svg(const std::string& title, std::span<const DotPanel> panels);

}  // namespace elmo

// Values of a few categories as dots with their bounds, drawn as SVG.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace elmo {

/// A value, and the bounds between which it is believed to lie; equal ones are not drawn. Finite.
struct Dot {
  double value = 0.0;
  double low = 0.0;
  double high = 0.0;
};

struct DotSeries {
  std::string name;
  std::vector<std::optional<Dot>> dots;  ///< [categories]
};

/// Series that share their categories and axes.
struct DotPanel {
  std::string title;
  std::vector<std::string> categories;
  std::vector<DotSeries> series;
};

/// An SVG document that needs nothing else. `title` is for people who do not see it.
std::string dots_svg(const std::string& title, std::span<const DotPanel> panels);

}  // namespace elmo

// Charts as self-contained SVG documents: panels of curves, and dots by category with error bars.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common/axis.h"

namespace elmo {

class Options;

/// The size of a picture in print. Other lengths follow from both.
struct PictureSize {
  float width = 160;  ///< in millimeters; 85 is a column of many journals
  float font = 9;     ///< in points
};

/// Registers --width and --font-size, under the heading Picture.
void add_picture_flags(const Options& app, PictureSize& size);

/// Curves with the same axes, or dots by category: the x of a dot is the index of its category.
struct Panel {
  std::string y;  ///< label of the vertical axis; a letter after `_` is a subscript
  bool logarithmic = false;
  std::vector<Curve> curves;
  std::vector<std::string> categories = {};  ///< categories of dots
};

/// Escapes `text`, which is UTF-8, as the content of an element of XML or HTML. XML cannot hold
/// control characters, U+FFFE and U+FFFF: each of their bytes becomes `\xHH`, as escaped_name()
/// writes invalid UTF-8.
std::string xml_text(std::string_view text);

/// Returns a self-contained SVG document of dots over categories. `title` is for screen readers.
/// Curves of one name are one series, with one color and mark, in all panels. Dots whose value is
/// not finite or more than 10^100 are left out.
std::string dots_svg(const std::string& title, std::span<const Panel> panels,
                     const PictureSize& size = {});

/// The horizontal axis of all panels.
struct PanelsOver {
  std::string name;  ///< below the last panel
  double low = 0.0;
  double high = 1.0;         ///< more than `low`
  bool logarithmic = false;  ///< then `low` is positive
};

/// Returns a self-contained SVG document of curves, as dots_svg(). Points that cannot be drawn
/// leave gaps: values that are not finite, are more than 10^100, or, on a logarithmic axis, less
/// than 10^-100.
std::string panels_svg(const std::string& title, std::span<const Panel> panels,
                       const PanelsOver& over, const PictureSize& size = {});

}  // namespace elmo

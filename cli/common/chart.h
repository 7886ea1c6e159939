// Charts as self-contained SVG documents: panels of curves, dots by category with error bars, and
// the curves of training runs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tasks/common/task_learner.h"
#include "io/train/metrics_log.h"

namespace elmo {

class Options;

/// The size of a picture in print. Other lengths follow from both.
struct PictureSize {
  float width = 160;  ///< in millimeters; 85 is a column of many journals
  float font = 9;     ///< in points
};

/// Registers --width and --font-size, under the heading Picture.
void add_picture_flags(const Options& app, PictureSize& size);

/// A run and its name in the legend.
struct PlottedRun {
  std::string name;
  MetricsRecords records;
};

/// The smallest and largest of the values that a point averages.
struct Bounds {
  double low = 0;
  double high = 0;
};

struct Point {
  double x = 0;
  double y = 0;
  std::optional<Bounds> bounds = std::nullopt;  ///< drawn as a bar unless equal
};

struct Curve {
  std::string name;
  std::vector<Point> points;
};

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

/// Returns a self-contained SVG document: training loss above validation perplexity (logarithmic
/// axis), both over steps. A single run has a curve per direction, and one of the average
/// perplexity. Each of several runs has a curve of its mean loss and one of its average perplexity.
/// Long curves are thinned to a few hundred points, each the mean of neighbors. Points that are not
/// drawable leave gaps.
std::string curves_svg(std::span<const PlottedRun> runs, const PictureSize& size = {});

/// A run of a task and its name in the legend.
struct PlottedTask {
  std::string name;
  std::vector<TaskEvaluation> evaluations;
};

/// Returns an SVG document: losses above scores, both over steps, one curve per run. `score`: the
/// title of the axis of scores.
std::string task_curves_svg(std::span<const PlottedTask> runs, const std::string& score,
                            const PictureSize& size = {});

}  // namespace elmo

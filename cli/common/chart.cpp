#include "cli/common/chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>

#include "core/human.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

bool is_control(char letter) {
  return static_cast<unsigned char>(letter) < ' ' || letter == '\x7f';
}

/// Returns whether `text` begins with U+FFFE or U+FFFF.
bool begins_with_noncharacter(std::string_view text) {
  return text.starts_with("\xef\xbf\xbe") || text.starts_with("\xef\xbf\xbf");
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string xml;
  while (!text.empty()) {
    std::size_t size = 1;
    if (begins_with_noncharacter(text)) {
      size = 3;
      xml += escaped_bytes(text.substr(0, size));
    } else if (is_control(text[0])) {
      xml += escaped_bytes(text.substr(0, size));
    } else if (text[0] == '&') {
      xml += "&amp;";
    } else if (text[0] == '<') {
      xml += "&lt;";
    } else if (text[0] == '>') {
      xml += "&gt;";
    } else {
      xml += text[0];
    }
    text.remove_prefix(size);
  }
  return xml;
}

namespace {

/// Returns the largest number of the form 1, 2 or 5 times a power of ten that is at most `most`.
double round_step(double most) {
  const double power = std::pow(10.0, std::floor(std::log10(most)));
  return power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1);
}

std::vector<double> linear_ticks(double low, double high) {
  const double step = round_step((high - low) / 3);
  std::vector<double> ticks;
  for (double i = std::ceil(low / step); i * step <= high + step * 1e-9; ++i) {
    ticks.push_back(i * step + 0.0);  // turns -0 into 0
  }
  return ticks;
}

/// Returns 1, 2 and 5 times powers of ten, or the ticks of a linear axis if these are too few.
std::vector<double> logarithmic_ticks(double low, double high) {
  std::vector<double> ticks;
  const bool decades_only = high / low > 1e4;
  for (double power = std::pow(10.0, std::floor(std::log10(low))); power <= high; power *= 10) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (decades_only && factor > 1.0) continue;
      const double tick = factor * power;
      if (tick >= low && tick <= high) ticks.push_back(tick);
    }
  }
  return ticks.size() >= 3 ? ticks : linear_ticks(low, high);
}

/// Maps values from `low` to `high` to positions from `from` to `to`. On a logarithmic axis all
/// values must be positive.
class Axis {
 public:
  Axis(double low, double high, bool logarithmic, double from, double to)
      : low_(low), high_(high), logarithmic_(logarithmic), from_(from), to_(to) {}

  /// Returns the position of `value`.
  double position(double value) const {
    const double share =
        logarithmic_ ? (std::log(value) - std::log(low_)) / (std::log(high_) - std::log(low_))
                     : (value - low_) / (high_ - low_);
    return from_ + share * (to_ - from_);
  }

  /// Returns the values to label: a handful of round numbers.
  std::vector<double> ticks() const {
    return logarithmic_ ? logarithmic_ticks(low_, high_) : linear_ticks(low_, high_);
  }

 private:
  double low_;
  double high_;
  bool logarithmic_;
  double from_;
  double to_;
};

/// "12,000", "0.25"
std::string tick_label(double value) {
  if (value != 0 && (std::abs(value) >= 1e9 || std::abs(value) < 1e-4))
    return formatted("%g", value);
  std::string text = formatted("%.10g", value);
  const std::size_t whole = std::min(text.find('.'), text.size());
  for (std::size_t end = whole; end > 3 + (text[0] == '-' ? 1U : 0U); end -= 3) {
    text.insert(end - 3, 1, ',');
  }
  return text;
}

constexpr std::size_t kMaxPoints = 500;
constexpr double kMaxValue = 1e100;

std::vector<Point> thinned(const std::vector<Point>& points) {
  const std::size_t group = (points.size() + kMaxPoints - 1) / kMaxPoints;
  if (group <= 1) return points;
  std::vector<Point> means;
  for (std::size_t begin = 0; begin < points.size(); begin += group) {
    const std::size_t end = std::min(begin + group, points.size());
    double sum = 0.0;
    for (std::size_t i = begin; i < end; ++i) sum += points[i].y;
    means.push_back({points[end - 1].x, sum / static_cast<double>(end - begin)});
  }
  return means;
}

/// Returns a member of each record, over its step.
template <typename Record, typename Value>
Curve curve_of(std::string name, const std::vector<Record>& records, const Value& value) {
  Curve curve{std::move(name), {}};
  for (const Record& record : records) {
    curve.points.push_back({static_cast<double>(record.step), std::invoke(value, record)});
  }
  return curve;
}

/// Returns whether a point can be drawn. Its value must be finite and at most 10^100, so that the
/// ends of the axis are finite, and at least 10^-100 on a logarithmic axis.
bool is_drawable(const Point& point, bool logarithmic) {
  return std::abs(point.y) <= kMaxValue && (!logarithmic || point.y >= 1 / kMaxValue);
}

/// The axis of a panel's values, from `bottom` to `top` and with a small margin. Nothing if there
/// are no values.
std::optional<Axis> value_axis(const Panel& panel, double bottom, double top) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const Curve& curve : panel.curves) {
    for (const Point& point : curve.points) {
      if (!is_drawable(point, panel.logarithmic)) continue;
      const Bounds bounds = point.bounds.value_or(Bounds{point.y, point.y});
      low = std::min({low, point.y, bounds.low});
      high = std::max({high, point.y, bounds.high});
    }
  }
  if (low > high) return std::nullopt;
  if (panel.logarithmic) {
    const double margin = std::max(std::pow(high / low, 0.05), 1.02);
    low /= margin;
    high *= margin;
  } else {
    const double margin = std::max((high - low) * 0.05, std::max(std::abs(high), 1.0) * 0.01);
    low -= margin;
    high += margin;
  }
  return Axis(low, high, panel.logarithmic, bottom, top);
}

// In pixels.
constexpr double kDiagramWidth = 900;
constexpr double kDiagramLeft = 72;
constexpr double kPanelTop = 44;
constexpr double kPanelHeight = 220;
constexpr double kPanelDistance = 64;
constexpr double kPanelFoot = 56;
constexpr double kDotsFoot = 36;
constexpr double kDotRadius = 3;

/// Colors that color-blind people can distinguish (Okabe and Ito 2008).
constexpr std::array kColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                "#e69f00", "#56b4e9", "#000000"};
const char* color_of(std::size_t index) { return kColors[index % kColors.size()]; }

/// A label of an axis and its position in pixels.
struct AxisLabel {
  double position = 0.0;
  std::string text;
};

/// Style of a series.
enum class LegendMark { line, dot };

constexpr double kLegendDistance = 16;
constexpr double kLegendSwatch = 22;
constexpr double kLetterWidth = 6.6;  // average, in the legend's font
constexpr double kBarEnd = 5;         // length to either side
constexpr std::size_t kMaxLegendLetters = 32;

/// Returns the end of a name that is too long for the legend, cut between UTF-8 characters.
std::string shortened(const std::string& name) {
  if (name.size() <= kMaxLegendLetters) return name;
  std::size_t begin = name.size() - kMaxLegendLetters;
  while (begin < name.size() && (static_cast<unsigned char>(name[begin]) & 0xC0U) == 0x80U) ++begin;
  return "…" + name.substr(begin);
}

/// Returns the labels of an axis's ticks.
std::vector<AxisLabel> tick_labels(const Axis& axis) {
  std::vector<AxisLabel> labels;
  for (const double tick : axis.ticks()) labels.push_back({axis.position(tick), tick_label(tick)});
  return labels;
}

/// Returns the beginning of the document. `title` is for screen readers.
std::string begin_svg(const std::string& title, double height) {
  return formatted(R"(<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" )"
                   R"(viewBox="0 0 %.0f %.0f" role="img">)"
                   "\n",
                   kDiagramWidth, height, kDiagramWidth, height) +
         "<title>" + xml_text(title) +
         "</title>\n"
         "<style>\n"
         "text { font: 12px sans-serif; fill: #333 }\n"
         ".title { font-size: 13px; font-weight: bold }\n"
         "path { fill: none; stroke-width: 1.6; stroke-linejoin: round }\n"
         ".grid { stroke: #e4e4e4 }\n"
         ".frame { stroke: #333; stroke-width: 1 }\n"
         "</style>\n"
         "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
}

/// Draws the title of a panel, its grid lines with labels, and its frame from kDiagramLeft to
/// `right`.
void draw_frame(std::string& svg, const std::string& title, std::span<const AxisLabel> x,
                std::span<const AxisLabel> y, double right, double top) {
  const double bottom = top + kPanelHeight;
  svg += formatted(R"(<text class="title" x="%.0f" y="%.0f">)", kDiagramLeft, top - 12) +
         xml_text(title) + "</text>\n";
  for (const auto& [position, text] : x) {
    svg += formatted(R"(<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>)"
                     "\n",
                     position, top, position, bottom) +
           formatted(R"(<text x="%.1f" y="%.1f" text-anchor="middle">)", position, bottom + 17) +
           xml_text(text) + "</text>\n";
  }
  for (const auto& [position, text] : y) {
    svg +=
        formatted(R"(<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>)"
                  "\n",
                  kDiagramLeft, position, right, position) +
        formatted(R"(<text x="%.1f" y="%.1f" text-anchor="end">)", kDiagramLeft - 7, position + 4) +
        xml_text(text) + "</text>\n";
  }
  svg += formatted(R"(<path class="frame" d="M%.1f %.1fV%.1fH%.1f"/>)"
                   "\n",
                   kDiagramLeft, top, bottom, right);
}

/// Draws the content of a panel without data.
void draw_nothing(std::string& svg, double right, double top) {
  svg += formatted(R"(<text x="%.1f" y="%.1f" text-anchor="middle">nothing yet</text>)"
                   "\n",
                   (kDiagramLeft + right) / 2, top + kPanelHeight / 2);
}

/// Draws an error bar at `x` from `low` to `high`, in pixels. Its ends are wider than a dot.
void draw_bar(std::string& svg, double x, double low, double high, const char* color) {
  svg += formatted(R"(<path d="M%.1f %.1fh%.0fm%.0f 0V%.1fm%.0f 0h%.0f" stroke="%s"/>)"
                   "\n",
                   x - kBarEnd, low, 2 * kBarEnd, -kBarEnd, high, -kBarEnd, 2 * kBarEnd, color);
}

/// Draws line `index` of the legend to the right of a panel. Long names are cut at the beginning.
void draw_legend(std::string& svg, std::size_t index, LegendMark mark, const std::string& name,
                 double right, double top) {
  const double line = top + 8 + 19 * static_cast<double>(index);
  const double begin = right + kLegendDistance;
  svg += mark == LegendMark::line
             ? formatted(R"(<path d="M%.1f %.1fh%.0f" stroke="%s"/>)"
                         "\n",
                         begin, line, kLegendSwatch, color_of(index))
             : formatted(R"(<circle cx="%.1f" cy="%.1f" r="%.0f" fill="%s"/>)"
                         "\n",
                         begin + kLegendSwatch / 2, line, kDotRadius, color_of(index));
  svg += formatted(R"(<text x="%.1f" y="%.1f">)", begin + kLegendSwatch + 6, line + 4) +
         xml_text(shortened(name)) + "</text>\n";
}

/// Returns the right edge of panels that leaves room for a legend with these names.
double right_of_panels(std::span<const std::string> names) {
  std::size_t letters = 0;
  for (const std::string& name : names) {
    letters = std::max(letters, std::min(name.size(), kMaxLegendLetters + 1));
  }
  return kDiagramWidth - kLegendDistance - kLegendSwatch - 14 -
         kLetterWidth * static_cast<double>(letters);
}

constexpr double kSeriesShare = 0.5;  // share of a category's width

/// Draws the dots of a curve beside the dots of the panel's other curves. `width`: width of a
/// category.
void draw_dots(std::string& svg, const Panel& panel, std::size_t curve, double width,
               const Axis& y) {
  const double step = kSeriesShare * width / static_cast<double>(panel.curves.size());
  const double shift =
      (static_cast<double>(curve) - static_cast<double>(panel.curves.size() - 1) / 2) * step;
  for (const Point& point : panel.curves[curve].points) {
    if (!is_drawable(point, panel.logarithmic)) continue;
    const double x = kDiagramLeft + (point.x + 0.5) * width + shift;
    if (point.bounds && point.bounds->low < point.bounds->high) {
      draw_bar(svg, x, y.position(point.bounds->low), y.position(point.bounds->high),
               color_of(curve));
    }
    svg += formatted(R"(<circle cx="%.1f" cy="%.1f" r="%.0f" fill="%s"><title>%s</title></circle>)"
                     "\n",
                     x, y.position(point.y), kDotRadius, color_of(curve),
                     human_number(point.y, 5).c_str());
  }
}

constexpr std::size_t kMaxMarkers = 60;

void draw_curve(std::string& svg, const Curve& curve, const char* color, const Axis& x,
                const Axis& y, bool logarithmic) {
  std::string path;
  std::string markers;
  bool pen_down = false;
  for (const Point& point : curve.points) {
    if (!is_drawable(point, logarithmic)) {
      pen_down = false;
      continue;
    }
    path +=
        formatted("%c%.1f %.1f", pen_down ? 'L' : 'M', x.position(point.x), y.position(point.y));
    pen_down = true;
    if (point.bounds && point.bounds->low < point.bounds->high) {
      draw_bar(markers, x.position(point.x), y.position(point.bounds->low),
               y.position(point.bounds->high), color);
    }
    if (curve.points.size() <= kMaxMarkers) {
      markers += formatted(R"(<circle cx="%.1f" cy="%.1f" r="2.5" fill="%s"/>)"
                           "\n",
                           x.position(point.x), y.position(point.y), color);
    }
  }
  svg += R"(<path d=")" + path + R"(" stroke=")" + color + "\"/>\n" + markers;
}

/// Draws curves over `x`; if that is nothing, dots over the panel's categories.
void draw_panel(std::string& svg, const Panel& panel, const std::optional<Axis>& x, double right,
                double top) {
  const double width = (right - kDiagramLeft) /
                       static_cast<double>(std::max<std::size_t>(1, panel.categories.size()));
  std::vector<AxisLabel> labels;
  if (x) labels = tick_labels(*x);
  for (const std::string& category : panel.categories) {
    const auto index = static_cast<double>(labels.size());
    labels.push_back({kDiagramLeft + (index + 0.5) * width, category});
  }
  const std::optional<Axis> y = value_axis(panel, top + kPanelHeight, top);
  draw_frame(svg, panel.title, labels, y ? tick_labels(*y) : std::vector<AxisLabel>{}, right, top);
  if (!y) {
    draw_nothing(svg, right, top);
    return;
  }
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    if (x) {
      draw_curve(svg, panel.curves[i], color_of(i), *x, *y, panel.logarithmic);
    } else {
      draw_dots(svg, panel, i, width, *y);
    }
    draw_legend(svg, i, x ? LegendMark::line : LegendMark::dot, panel.curves[i].name, right, top);
  }
}

/// Returns a document of the panels, one below the other: curves over `over`, or dots if that is
/// nothing.
std::string panels_document(const std::string& title, std::span<const Panel> panels,
                            const std::optional<PanelsOver>& over) {
  std::vector<std::string> names;
  for (const Panel& panel : panels) {
    for (const Curve& curve : panel.curves) names.push_back(curve.name);
  }
  const double right = right_of_panels(names);
  std::optional<Axis> x;
  if (over) x.emplace(over->low, over->high, over->logarithmic, kDiagramLeft, right);
  const double height = kPanelTop + static_cast<double>(panels.size()) * kPanelHeight +
                        static_cast<double>(panels.size() - 1) * kPanelDistance +
                        (over ? kPanelFoot : kDotsFoot);
  std::string svg = begin_svg(title, height);
  double top = kPanelTop;
  for (const Panel& panel : panels) {
    draw_panel(svg, panel, x, right, top);
    top += kPanelHeight + kPanelDistance;
  }
  if (over) {
    svg += formatted(R"(<text x="%.1f" y="%.1f" text-anchor="middle">)", (kDiagramLeft + right) / 2,
                     height - 18) +
           xml_text(over->name) + "</text>\n";
  }
  return svg + "</svg>\n";
}

/// Returns a document of panels whose curves are over steps.
std::string steps_svg(const std::string& title, const std::vector<Panel>& panels) {
  double last_step = 1;
  for (const Panel& panel : panels) {
    for (const Curve& curve : panel.curves) {
      if (!curve.points.empty()) last_step = std::max(last_step, curve.points.back().x);
    }
  }
  return panels_document(title, panels, PanelsOver{"steps", 0, last_step});
}

}  // namespace

std::string dots_svg(const std::string& title, std::span<const Panel> panels) {
  return panels_document(title, panels, std::nullopt);
}

std::string panels_svg(const std::string& title, std::span<const Panel> panels,
                       const PanelsOver& over) {
  return panels_document(title, panels, over);
}

std::string curves_svg(std::span<const PlottedRun> runs) {
  Panel loss{"Training loss: mean −ln p of a token, sampled softmax", false, {}};
  Panel perplexity{"Validation perplexity, full softmax", true, {}};
  for (const auto& [name, records] : runs) {
    const auto& [training, validation] = records;
    if (runs.size() == 1) {
      loss.curves = {curve_of("forward", training, &TrainingRecord::loss_forward),
                     curve_of("backward", training, &TrainingRecord::loss_backward)};
      perplexity.curves = {curve_of("forward", validation, &ValidationRecord::forward),
                           curve_of("backward", validation, &ValidationRecord::backward),
                           curve_of("average", validation, &ValidationRecord::average)};
    } else {
      loss.curves.push_back(curve_of(name, training, [](const TrainingRecord& record) {
        return (record.loss_forward + record.loss_backward) / 2;
      }));
      perplexity.curves.push_back(curve_of(name, validation, &ValidationRecord::average));
    }
  }
  for (Panel* panel : {&loss, &perplexity}) {
    for (Curve& curve : panel->curves) curve.points = thinned(curve.points);
  }
  return steps_svg("Training loss and validation perplexity over steps", {loss, perplexity});
}

std::string task_curves_svg(std::span<const PlottedTask> runs, const std::string& score) {
  Panel losses{"Training loss: mean over the steps between evaluations", false, {}};
  Panel scores{"Score on the development data: " + score + ", percent", false, {}};
  for (const auto& [name, evaluations] : runs) {
    losses.curves.push_back(curve_of(name, evaluations, &TaskEvaluation::loss));
    scores.curves.push_back(curve_of(name, evaluations, &TaskEvaluation::score));
  }
  return steps_svg("Training loss and score over steps", {losses, scores});
}

}  // namespace elmo

#include "cli/common/chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include "cli/common/options.h"
#include "core/text.h"
#include "io/text/segment/utf8.h"

namespace elmo {

void add_picture_flags(const Options& command, PictureSize& size) {
  const Options app = command.in_group("Picture");
  add_number(app, "--width", size.width, "MM", {.least = 60, .most = 1000},
             "Width of the picture in millimeters; 85 for a column");
  add_number(app, "--font-size", size.font, "PT", {.least = 4, .most = 24},
             "Font size of the picture in points");
}

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

/// Colors that color-blind people can distinguish (Okabe and Ito 2008).
constexpr std::array kColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                "#e69f00", "#56b4e9", "#000000"};
/// Marks as paths of radius 1, and dashes of curves in points, so that print without colors tells
/// series apart.
constexpr std::array kMarks = {
    "M1 0A1 1 0 1 1 -1 0A1 1 0 1 1 1 0Z",
    "M-.85 -.85H.85V.85H-.85Z",
    "M0 -1.1L1.05 .8H-1.05Z",
    "M0 -1.25L1.25 0L0 1.25L-1.25 0Z",
    "M0 1.1L1.05 -.8H-1.05Z",
    "M-.35 -1.1H.35V-.35H1.1V.35H.35V1.1H-.35V.35H-1.1V-.35H-.35Z",
    "M-1 -.5L-.5 -1L0 -.5L.5 -1L1 -.5L.5 0L1 .5L.5 1L0 .5L-.5 1L-1 .5L-.5 0Z"};
constexpr std::array kDashes = {"none", "5 2", "1.5 1.5", "7 2 1.5 2", "3 1.5", "1 2.5", "9 3"};
static_assert(kMarks.size() == kColors.size() && kDashes.size() == kColors.size());

// Multiples of the font size.
constexpr double kLetterWidth = 0.56;  // average
constexpr double kLineHeight = 1.35;
constexpr double kMarkRadius = 0.3;
constexpr double kBarEnd = 0.4;  // length to either side
constexpr double kSwatch = 2.2;  // width of a series' sample in the legend
constexpr double kInset = 0.9;   // from the frame to the ends of a numeric axis

constexpr double kPointsPerMillimeter = 72 / 25.4;
constexpr double kHeightShare = 0.26;  // of the width, in the height of a panel
constexpr double kSeriesShare = 0.5;   // share of a category's width
constexpr double kTurn = 35;           // degrees by which long categories are turned
constexpr std::size_t kMaxLegendLetters = 32;
constexpr std::size_t kMaxMarkers = 60;

/// Returns the end of a name that is too long for the legend, cut between UTF-8 characters.
std::string shortened(const std::string& name) {
  if (name.size() <= kMaxLegendLetters) return name;
  std::size_t begin = name.size() - kMaxLegendLetters;
  while (begin < name.size() && (static_cast<unsigned char>(name[begin]) & 0xC0U) == 0x80U) ++begin;
  return "…" + name.substr(begin);
}

/// Returns `text` for XML. A letter after `_` is a subscript.
std::string with_subscripts(std::string_view text) {
  std::string xml;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t mark = std::min(text.find('_', at), text.size());
    xml += xml_text(text.substr(at, mark - at));
    if (mark + 1 >= text.size()) break;
    xml += R"(<tspan dy="0.3em" font-size="70%">)" + xml_text(text.substr(mark + 1, 1)) +
           R"(</tspan><tspan dy="-0.21em">&#8203;</tspan>)";
    at = mark + 2;
  }
  return xml;
}

/// Returns `label` as lines of at most `letters` if one blank can divide it so.
std::vector<std::string> label_lines(const std::string& label, double letters) {
  if (static_cast<double>(label.size()) <= letters) return {label};
  const std::size_t after = std::min(label.find(' ', label.size() / 2), label.size());
  const std::size_t before = label.rfind(' ', label.size() / 2);
  if (before == std::string::npos && after == label.size()) return {label};
  const bool later =
      before == std::string::npos || after - label.size() / 2 < label.size() / 2 - before;
  const std::size_t blank = later ? after : before;
  return {label.substr(0, blank), label.substr(blank + 1)};
}

std::size_t longest(std::span<const std::string> texts) {
  std::size_t letters = 0;
  for (const std::string& text : texts) letters = std::max(letters, text.size());
  return letters;
}

/// Draws panels, one below the other, under a legend of all their series. Lengths are in points.
class Picture {
 public:
  /// The panels must outlive the object. Without `over`, dots are drawn over categories.
  Picture(std::span<const Panel> panels, const std::optional<PanelsOver>& over,
          const PictureSize& size)
      : panels_(panels),
        over_(over),
        em_(static_cast<double>(size.font)),
        width_(static_cast<double>(size.width) * kPointsPerMillimeter),
        height_(kHeightShare * width_ + 4 * em_),
        right_(width_ - 1.5 * em_) {
    std::size_t letters = 1;
    std::vector<std::string> categories;
    for (const Panel& panel : panels) {
      for (const Curve& curve : panel.curves) {
        if (std::ranges::count(names_, curve.name) == 0) names_.push_back(curve.name);
      }
      if (const auto y = value_axis(panel.curves, panel.logarithmic, 1, 0)) {
        for (const auto& [_, label] : y->labels()) letters = std::max(letters, label.size());
      }
      const auto lines = label_lines(panel.y, height_ / (kLetterWidth * em_));
      label_lines_ = std::max(label_lines_, lines.size());
      categories.insert(categories.end(), panel.categories.begin(), panel.categories.end());
    }
    left_ = em_ * (0.8 + kLineHeight * static_cast<double>(label_lines_) +
                   kLetterWidth * static_cast<double>(letters));
    if (over) {
      x_.emplace(over->low, over->high, over->logarithmic, left_ + kInset * em_,
                 right_ - kInset * em_);
    }
    const double most = kLetterWidth * em_ * static_cast<double>(longest(categories));
    const std::size_t columns =
        panels.empty() ? 1 : std::max<std::size_t>(1, panels.front().categories.size());
    turned_ = most + 0.5 * em_ > (right_ - left_) / static_cast<double>(columns);
    foot_ = em_ * (turned_ ? 0.9 : kLineHeight + 0.5);
    if (turned_) foot_ += most * std::sin(kTurn * std::numbers::pi / 180);
  }

  /// Returns the document. `title` is for screen readers.
  std::string document(const std::string& title) {
    draw_legend();
    for (const Panel& panel : panels_) draw_panel(panel);
    double height = top_;
    if (over_) {
      height += em_;
      text((left_ + right_) / 2, height - 0.7 * em_, R"(text-anchor="middle")",
           xml_text(over_->name));
    }
    return formatted(R"(<svg xmlns="http://www.w3.org/2000/svg" width="%.1fmm" height="%.1fmm" )"
                     R"(viewBox="0 0 %.1f %.1f" role="img">)"
                     "\n<title>",
                     width_ / kPointsPerMillimeter, height / kPointsPerMillimeter, width_, height) +
           xml_text(title) +
           formatted(
               "</title>\n<style>\n"
               "text { font: %gpx sans-serif; fill: #333 }\n"
               "path:not(.mark) { fill: none; stroke-width: 1.2; stroke-linejoin: round }\n"
               "path.grid { stroke: #e4e4e4; stroke-width: 0.7 }\n"
               "path.frame { stroke: #333; stroke-width: 0.7 }\n"
               "</style>\n"
               "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
               em_) +
           svg_ + "</svg>\n";
  }

 private:
  std::size_t series(const std::string& name) const {
    return static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin());
  }
  double text_width(const std::string& text) const {
    return kLetterWidth * em_ * static_cast<double>(text.size());
  }
  void text(double x, double y, const std::string& attributes, const std::string& xml) {
    svg_ += formatted(R"(<text x="%.1f" y="%.1f" )", x, y) + attributes + ">" + xml + "</text>\n";
  }

  void mark(std::size_t series, double x, double y, const std::string& title = {}) {
    const std::size_t style = series % kColors.size();
    svg_ +=
        formatted(R"svg(<path class="mark" transform="translate(%.1f %.1f) scale(%.2f)" d="%s" )svg"
                  R"(fill="%s">)",
                  x, y, kMarkRadius * em_, kMarks[style], kColors[style]) +
        (title.empty() ? "" : "<title>" + title + "</title>") + "</path>\n";
  }

  /// Draws an error bar at `x` from `low` to `high`. Its ends are wider than a mark.
  void bar(std::size_t series, double x, double low, double high) {
    const double end = kBarEnd * em_;
    svg_ += formatted(R"(<path d="M%.1f %.1fh%.1fm%.1f 0V%.1fm%.1f 0h%.1f" stroke="%s"/>)"
                      "\n",
                      x - end, low, 2 * end, -end, high, -end, 2 * end,
                      kColors[series % kColors.size()]);
  }

  /// Draws the series' names in lines above the panels. Long names are cut at the beginning.
  void draw_legend() {
    double x = left_;
    double y = 1.1 * em_;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::string name = shortened(names_[i]);
      const double room = (kSwatch + 1.6) * em_ + text_width(name);
      if (x > left_ && x + room > width_) {
        x = left_;
        y += kLineHeight * em_;
      }
      const double middle = y - 0.35 * em_;
      if (x_) {
        svg_ += formatted(R"(<path d="M%.1f %.1fh%.1f" stroke="%s" stroke-dasharray="%s"/>)"
                          "\n",
                          x, middle, kSwatch * em_, kColors[i % kColors.size()],
                          kDashes[i % kDashes.size()]);
      }
      mark(i, x + kSwatch * em_ / 2, middle);
      text(x + (kSwatch + 0.4) * em_, y, "", xml_text(name));
      x += room;
    }
    top_ = y + 0.9 * em_;
  }

  /// Draws the frame of a panel, grid lines with those labels that have room, and the label of its
  /// vertical axis.
  void draw_frame(const Panel& panel, std::span<const AxisLabel> x, std::span<const AxisLabel> y) {
    const double bottom = top_ + height_;
    double used = 0.0;
    for (const auto& [position, label] : x) {
      svg_ += formatted(R"(<path class="grid" d="M%.1f %.1fV%.1f"/>)"
                        "\n",
                        position, top_, bottom);
      if (turned_) {
        text(position, bottom + 1.1 * em_,
             formatted(R"svg(text-anchor="end" transform="rotate(%.0f %.1f %.1f)")svg", -kTurn,
                       position, bottom + 1.1 * em_),
             xml_text(label));
      } else if (position - text_width(label) / 2 >= used) {
        text(position, bottom + 1.25 * em_, R"(text-anchor="middle")", xml_text(label));
        used = position + text_width(label) / 2 + 0.5 * em_;
      }
    }
    used = bottom + em_;
    for (const auto& [position, label] : y) {
      svg_ += formatted(R"(<path class="grid" d="M%.1f %.1fH%.1f"/>)"
                        "\n",
                        left_, position, right_);
      if (position > used) continue;
      text(left_ - 0.5 * em_, position + 0.35 * em_, R"(text-anchor="end")", xml_text(label));
      used = position - 1.1 * em_;
    }
    const std::vector<std::string> lines = label_lines(panel.y, height_ / (kLetterWidth * em_));
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const double line = em_ * (1.1 + kLineHeight * static_cast<double>(i));
      const double middle = (top_ + bottom) / 2;
      text(line, middle,
           formatted(R"svg(text-anchor="middle" transform="rotate(-90 %.1f %.1f)")svg", line,
                     middle),
           with_subscripts(lines[i]));
    }
    svg_ += formatted(R"(<path class="frame" d="M%.1f %.1fV%.1fH%.1f"/>)"
                      "\n",
                      left_, top_, bottom, right_);
  }

  /// Draws a panel at `top_`, and advances it.
  void draw_panel(const Panel& panel) {
    std::vector<AxisLabel> labels;
    if (x_) labels = x_->labels();
    const double width =
        (right_ - left_) / static_cast<double>(std::max<std::size_t>(1, panel.categories.size()));
    for (const std::string& category : panel.categories) {
      labels.push_back({left_ + (static_cast<double>(labels.size()) + 0.5) * width, category});
    }
    const std::optional<Axis> y = value_axis(panel.curves, panel.logarithmic, top_ + height_, top_);
    draw_frame(panel, labels, y ? y->labels() : std::vector<AxisLabel>{});
    if (!y) {
      text((left_ + right_) / 2, top_ + height_ / 2, R"(text-anchor="middle")", "nothing yet");
    }
    for (std::size_t i = 0; y && i < panel.curves.size(); ++i) {
      if (x_) {
        draw_curve(panel.curves[i], *y, panel.logarithmic);
      } else {
        draw_dots(panel, i, *y);
      }
    }
    top_ += height_ + foot_ + 0.4 * em_;
  }

  /// Draws the dots of a curve beside the dots of the panel's other curves.
  void draw_dots(const Panel& panel, std::size_t curve, const Axis& y) {
    const double width = (right_ - left_) / static_cast<double>(panel.categories.size());
    const double step = kSeriesShare * width / static_cast<double>(panel.curves.size());
    const double shift =
        (static_cast<double>(curve) - static_cast<double>(panel.curves.size() - 1) / 2) * step;
    const std::size_t style = series(panel.curves[curve].name);
    for (const Point& point : panel.curves[curve].points) {
      if (!is_drawable(point, panel.logarithmic)) continue;
      const double x = left_ + (point.x + 0.5) * width + shift;
      if (point.bounds && point.bounds->low < point.bounds->high) {
        bar(style, x, y.position(point.bounds->low), y.position(point.bounds->high));
      }
      mark(style, x, y.position(point.y), human_number(point.y, 5));
    }
  }

  void draw_curve(const Curve& curve, const Axis& y, bool logarithmic) {
    const std::size_t style = series(curve.name);
    std::string path;
    bool pen_down = false;
    for (const Point& point : curve.points) {
      if (!is_drawable(point, logarithmic)) {
        pen_down = false;
        continue;
      }
      path += formatted("%c%.1f %.1f", pen_down ? 'L' : 'M', x_->position(point.x),
                        y.position(point.y));
      pen_down = true;
    }
    svg_ += R"(<path d=")" + path +
            formatted(R"(" stroke="%s" stroke-dasharray="%s"/>)"
                      "\n",
                      kColors[style % kColors.size()], kDashes[style % kDashes.size()]);
    for (const Point& point : curve.points) {
      if (!is_drawable(point, logarithmic)) continue;
      const double x = x_->position(point.x);
      if (point.bounds && point.bounds->low < point.bounds->high) {
        bar(style, x, y.position(point.bounds->low), y.position(point.bounds->high));
      }
      if (curve.points.size() <= kMaxMarkers) mark(style, x, y.position(point.y));
    }
  }

  std::span<const Panel> panels_;
  std::optional<PanelsOver> over_;
  double em_;
  double width_;
  double height_;  // of a panel
  double left_;
  double right_;
  std::optional<Axis> x_;
  std::vector<std::string> names_;  // of the series
  std::size_t label_lines_ = 1;
  bool turned_ = false;  // categories
  double foot_ = 0.0;    // below a panel
  double top_ = 0.0;     // of the next panel
  std::string svg_;
};

}  // namespace

std::string dots_svg(const std::string& title, std::span<const Panel> panels,
                     const PictureSize& size) {
  return Picture(panels, std::nullopt, size).document(title);
}

std::string panels_svg(const std::string& title, std::span<const Panel> panels,
                       const PanelsOver& over, const PictureSize& size) {
  return Picture(panels, over, size).document(title);
}

}  // namespace elmo

#include "cli/report/curves.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "cli/report/axis.h"
#include "cli/report/human.h"
#include "cli/report/xml_text.h"

namespace elmo {
namespace {

// In pixels.
constexpr double kWidth = 900;
constexpr double kLeft = 72;
constexpr double kPanelTop = 44;
constexpr double kPanelHeight = 220;
constexpr double kPanelDistance = 64;
constexpr double kHeight = kPanelTop + 2 * kPanelHeight + kPanelDistance + 56;
constexpr double kLegendDistance = 16;
constexpr double kLegendSwatch = 22;
constexpr double kLetterWidth = 6.6;  // of the legend's font, on average
constexpr std::size_t kMostLegendLetters = 32;

constexpr std::size_t kMostMarkers = 60;

// Told apart by people who do not see all colours: Okabe and Ito 2008.
constexpr std::array kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                 "#e69f00", "#56b4e9", "#000000"};

/// The end of a name that is too long for the legend, cut between UTF-8 characters.
std::string shortened(const std::string& name) {
  if (name.size() <= kMostLegendLetters) return name;
  std::size_t begin = name.size() - kMostLegendLetters;
  while (begin < name.size() && (static_cast<unsigned char>(name[begin]) & 0xC0U) == 0x80U) ++begin;
  return "…" + name.substr(begin);
}

void draw_curve(std::string& svg, const Curve& curve, const char* colour, const Axis& x,
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
    if (curve.points.size() <= kMostMarkers) {
      markers += formatted(R"(<circle cx="%.1f" cy="%.1f" r="2.5" fill="%s"/>)"
                           "\n",
                           x.position(point.x), y.position(point.y), colour);
    }
  }
  svg += R"(<path d=")" + path + R"(" stroke=")" + colour + "\"/>\n" + markers;
}

void draw_panel(std::string& svg, const Panel& panel, const Axis& x, double right, double top) {
  const double bottom = top + kPanelHeight;
  svg += formatted(R"(<text class="title" x="%.0f" y="%.0f">)", kLeft, top - 12) +
         xml_text(panel.title) + "</text>\n";
  for (const double tick : x.ticks()) {
    const double position = x.position(tick);
    svg += formatted(R"(<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>)"
                     "\n",
                     position, top, position, bottom) +
           formatted(R"(<text x="%.1f" y="%.1f" text-anchor="middle">)", position, bottom + 17) +
           tick_label(tick) + "</text>\n";
  }
  const std::optional<Axis> y = value_axis(panel, bottom, top);
  if (y) {
    for (const double tick : y->ticks()) {
      const double position = y->position(tick);
      svg += formatted(R"(<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>)"
                       "\n",
                       kLeft, position, right, position) +
             formatted(R"(<text x="%.1f" y="%.1f" text-anchor="end">)", kLeft - 7, position + 4) +
             tick_label(tick) + "</text>\n";
    }
  }
  svg += formatted(R"(<path class="frame" d="M%.1f %.1fV%.1fH%.1f"/>)"
                   "\n",
                   kLeft, top, bottom, right);
  if (!y) {
    svg += formatted(R"(<text x="%.1f" y="%.1f" text-anchor="middle">nothing yet</text>)"
                     "\n",
                     (kLeft + right) / 2, (top + bottom) / 2);
    return;
  }
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    const char* colour = kColours[i % kColours.size()];
    draw_curve(svg, panel.curves[i], colour, x, *y, panel.logarithmic);
    const double line = top + 8 + 19 * static_cast<double>(i);
    const double begin = right + kLegendDistance;
    svg += formatted(R"(<path d="M%.1f %.1fh%.0f" stroke="%s"/>)"
                     "\n",
                     begin, line, kLegendSwatch, colour) +
           formatted(R"(<text x="%.1f" y="%.1f">)", begin + kLegendSwatch + 6, line + 4) +
           xml_text(shortened(panel.curves[i].name)) + "</text>\n";
  }
}

}  // namespace

std::string curves_svg(std::span<const PlottedRun> runs) {
  const std::array<Panel, 2> panels = panels_of(runs);
  double last_step = 1;
  std::size_t letters = 0;
  for (const Panel& panel : panels) {
    for (const Curve& curve : panel.curves) {
      letters = std::max(letters, std::min(curve.name.size(), kMostLegendLetters + 1));
      if (!curve.points.empty()) last_step = std::max(last_step, curve.points.back().x);
    }
  }
  const double right =
      kWidth - kLegendDistance - kLegendSwatch - 14 - kLetterWidth * static_cast<double>(letters);
  const Axis x(0, last_step, false, kLeft, right);

  std::string svg =
      formatted(R"(<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" )"
                R"(viewBox="0 0 %.0f %.0f" role="img">)"
                "\n",
                kWidth, kHeight, kWidth, kHeight);
  svg +=
      "<title>Training loss and validation perplexity over steps</title>\n"
      "<style>\n"
      "text { font: 12px sans-serif; fill: #333 }\n"
      ".title { font-size: 13px; font-weight: bold }\n"
      "path { fill: none; stroke-width: 1.6; stroke-linejoin: round }\n"
      ".grid { stroke: #e4e4e4 }\n"
      ".frame { stroke: #333; stroke-width: 1 }\n"
      "</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  double top = kPanelTop;
  for (const Panel& panel : panels) {
    draw_panel(svg, panel, x, right, top);
    top += kPanelHeight + kPanelDistance;
  }
  svg += formatted(R"(<text x="%.1f" y="%.1f" text-anchor="middle">steps</text>)"
                   "\n",
                   (kLeft + right) / 2, kHeight - 18);
  return svg + "</svg>\n";
}

}  // namespace elmo

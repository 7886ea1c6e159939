#include "cli/report/diagram.h"

#include <algorithm>

#include "cli/numbers/human.h"
#include "cli/report/xml_text.h"

namespace elmo {
namespace {

constexpr double kLegendDistance = 16;
constexpr double kLegendSwatch = 22;
constexpr double kLetterWidth = 6.6;  // of the legend's font, on average
constexpr double kBarEnd = 5;         // to either side
constexpr std::size_t kMaxLegendLetters = 32;

/// Returns the end of a name that is too long for the legend, cut between UTF-8 characters.
std::string shortened(const std::string& name) {
  if (name.size() <= kMaxLegendLetters) return name;
  std::size_t begin = name.size() - kMaxLegendLetters;
  while (begin < name.size() && (static_cast<unsigned char>(name[begin]) & 0xC0U) == 0x80U) ++begin;
  return "…" + name.substr(begin);
}

}  // namespace

std::vector<AxisLabel> tick_labels(const Axis& axis) {
  std::vector<AxisLabel> labels;
  for (const double tick : axis.ticks()) labels.push_back({axis.position(tick), tick_label(tick)});
  return labels;
}

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

void draw_nothing(std::string& svg, double right, double top) {
  svg += formatted(R"(<text x="%.1f" y="%.1f" text-anchor="middle">nothing yet</text>)"
                   "\n",
                   (kDiagramLeft + right) / 2, top + kPanelHeight / 2);
}

void draw_bar(std::string& svg, double x, double low, double high, const char* color) {
  svg += formatted(R"(<path d="M%.1f %.1fh%.0fm%.0f 0V%.1fm%.0f 0h%.0f" stroke="%s"/>)"
                   "\n",
                   x - kBarEnd, low, 2 * kBarEnd, -kBarEnd, high, -kBarEnd, 2 * kBarEnd, color);
}

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

double right_of_panels(std::span<const std::string> names) {
  std::size_t letters = 0;
  for (const std::string& name : names) {
    letters = std::max(letters, std::min(name.size(), kMaxLegendLetters + 1));
  }
  return kDiagramWidth - kLegendDistance - kLegendSwatch - 14 -
         kLetterWidth * static_cast<double>(letters);
}

}  // namespace elmo

#include "cli/report/curves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

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

constexpr std::size_t kMostPoints = 500;
constexpr std::size_t kMostMarkers = 60;
constexpr double kMostValue = 1e100;  // so that the ends of an axis are finite

// Told apart by people who do not see all colours: Okabe and Ito 2008.
constexpr std::array kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                 "#e69f00", "#56b4e9", "#000000"};

struct Point {
  double x;
  double y;
};

struct Curve {
  std::string name;
  std::vector<Point> points;
};

struct Panel {
  std::string title;
  bool logarithmic = false;
  std::vector<Curve> curves;
};

template <typename... Values>
std::string format(const char* pattern, Values... values) {
  std::array<char, 512> text{};
  std::snprintf(text.data(), text.size(), pattern, values...);
  return text.data();
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      default:
        result += static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
    }
  }
  return result;
}

/// The end of a name that is too long for the legend, cut between UTF-8 characters.
std::string shortened(const std::string& name) {
  if (name.size() <= kMostLegendLetters) return name;
  std::size_t begin = name.size() - kMostLegendLetters;
  while (begin < name.size() && (static_cast<unsigned char>(name[begin]) & 0xC0U) == 0x80U) ++begin;
  return "…" + name.substr(begin);
}

std::vector<Point> thinned(const std::vector<Point>& points) {
  const std::size_t group = (points.size() + kMostPoints - 1) / kMostPoints;
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

/// The largest of 1, 2 and 5 times a power of ten that is not above `most`.
double round_step(double most) {
  const double power = std::pow(10.0, std::floor(std::log10(most)));
  return power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1);
}

std::vector<double> linear_ticks(double low, double high) {
  const double step = round_step((high - low) / 3);
  std::vector<double> ticks;
  for (double i = std::ceil(low / step); i * step <= high + step * 1e-9; ++i) {
    ticks.push_back(i * step);
  }
  return ticks;
}

/// 1, 2 and 5 times powers of ten, or those of a linear axis where these are too few.
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

/// "12,000", "0.25"
std::string tick_label(double value) {
  if (value != 0 && (std::abs(value) >= 1e9 || std::abs(value) < 1e-4)) return format("%g", value);
  std::string text = format("%.10g", value);
  const std::size_t whole = std::min(text.find('.'), text.size());
  for (std::size_t place = whole; place > 3 + (text[0] == '-' ? 1U : 0U); place -= 3) {
    text.insert(place - 3, 1, ',');
  }
  return text;
}

/// The values of an axis, and where they are drawn.
class Axis {
 public:
  Axis(double low, double high, bool logarithmic, double from, double to)
      : low_(low), high_(high), logarithmic_(logarithmic), from_(from), to_(to) {}

  double place(double value) const {
    const double share =
        logarithmic_ ? (std::log(value) - std::log(low_)) / (std::log(high_) - std::log(low_))
                     : (value - low_) / (high_ - low_);
    return from_ + share * (to_ - from_);
  }

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

bool drawable(const Point& point, bool logarithmic) {
  return std::abs(point.y) <= kMostValue && (!logarithmic || point.y > 0);
}

/// The axis of a panel's values, a little longer than they are; nothing where there are none.
std::optional<Axis> value_axis(const Panel& panel, double top) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const Curve& curve : panel.curves) {
    for (const Point& point : curve.points) {
      if (!drawable(point, panel.logarithmic)) continue;
      low = std::min(low, point.y);
      high = std::max(high, point.y);
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
  return Axis(low, high, panel.logarithmic, top + kPanelHeight, top);
}

void draw_curve(std::string& svg, const Curve& curve, const char* colour, const Axis& x,
                const Axis& y, bool logarithmic) {
  std::string path;
  std::string markers;
  bool pen_down = false;
  for (const Point& point : curve.points) {
    if (!drawable(point, logarithmic)) {
      pen_down = false;
      continue;
    }
    path += format("%c%.1f %.1f", pen_down ? 'L' : 'M', x.place(point.x), y.place(point.y));
    pen_down = true;
    if (curve.points.size() <= kMostMarkers) {
      markers += format(R"(<circle cx="%.1f" cy="%.1f" r="2.5" fill="%s"/>)"
                        "\n",
                        x.place(point.x), y.place(point.y), colour);
    }
  }
  svg += R"(<path d=")" + path + R"(" stroke=")" + colour + "\"/>\n" + markers;
}

void draw_panel(std::string& svg, const Panel& panel, const Axis& x, double right, double top) {
  const double bottom = top + kPanelHeight;
  svg += format(R"(<text class="title" x="%.0f" y="%.0f">)", kLeft, top - 12) +
         escaped(panel.title) + "</text>\n";
  for (const double tick : x.ticks()) {
    const double place = x.place(tick);
    svg += format(R"(<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>)"
                  "\n",
                  place, top, place, bottom) +
           format(R"(<text x="%.1f" y="%.1f" text-anchor="middle">)", place, bottom + 17) +
           tick_label(tick) + "</text>\n";
  }
  const std::optional<Axis> y = value_axis(panel, top);
  if (y) {
    for (const double tick : y->ticks()) {
      const double place = y->place(tick);
      svg += format(R"(<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>)"
                    "\n",
                    kLeft, place, right, place) +
             format(R"(<text x="%.1f" y="%.1f" text-anchor="end">)", kLeft - 7, place + 4) +
             tick_label(tick) + "</text>\n";
    }
  }
  svg += format(R"(<path class="frame" d="M%.1f %.1fV%.1fH%.1f"/>)"
                "\n",
                kLeft, top, bottom, right);
  if (!y) {
    svg += format(R"(<text x="%.1f" y="%.1f" text-anchor="middle">nothing yet</text>)"
                  "\n",
                  (kLeft + right) / 2, (top + bottom) / 2);
    return;
  }
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    const char* colour = kColours[i % kColours.size()];
    draw_curve(svg, panel.curves[i], colour, x, *y, panel.logarithmic);
    const double line = top + 8 + 19 * static_cast<double>(i);
    const double begin = right + kLegendDistance;
    svg += format(R"(<path d="M%.1f %.1fh%.0f" stroke="%s"/>)"
                  "\n",
                  begin, line, kLegendSwatch, colour) +
           format(R"(<text x="%.1f" y="%.1f">)", begin + kLegendSwatch + 6, line + 4) +
           escaped(shortened(panel.curves[i].name)) + "</text>\n";
  }
}

template <typename Record, typename Value>
Curve curve_of(std::string name, const std::vector<Record>& records, const Value& value) {
  Curve curve{std::move(name), {}};
  for (const Record& record : records) {
    curve.points.push_back({static_cast<double>(record.step), value(record)});
  }
  curve.points = thinned(curve.points);
  return curve;
}

std::array<Panel, 2> panels_of(std::span<const PlottedRun> runs) {
  Panel loss{"Training loss: mean −ln p of a token, sampled softmax", false, {}};
  Panel perplexity{"Validation perplexity, full softmax", true, {}};
  const auto add_loss = [&](const std::string& name, const PlottedRun& run, const auto& value) {
    loss.curves.push_back(curve_of(name, run.records.training, value));
  };
  const auto add_perplexity = [&](const std::string& name, const PlottedRun& run,
                                  const auto& value) {
    perplexity.curves.push_back(curve_of(name, run.records.validation, value));
  };
  const auto average = [](const ValidationRecord& record) { return record.average; };
  if (runs.size() == 1) {
    const PlottedRun& run = runs.front();
    add_loss("forward", run, [](const TrainingRecord& record) { return record.loss_forward; });
    add_loss("backward", run, [](const TrainingRecord& record) { return record.loss_backward; });
    add_perplexity("forward", run, [](const ValidationRecord& record) { return record.forward; });
    add_perplexity("backward", run, [](const ValidationRecord& record) { return record.backward; });
    add_perplexity("average", run, average);
  } else {
    for (const PlottedRun& run : runs) {
      add_loss(run.name, run, [](const TrainingRecord& record) {
        return (record.loss_forward + record.loss_backward) / 2;
      });
      add_perplexity(run.name, run, average);
    }
  }
  return {loss, perplexity};
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

  std::string svg = format(R"(<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" )"
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
  svg += format(R"(<text x="%.1f" y="%.1f" text-anchor="middle">steps</text>)"
                "\n",
                (kLeft + right) / 2, kHeight - 18);
  return svg + "</svg>\n";
}

}  // namespace elmo

#include "cli/report/human.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace elmo {
namespace {

template <typename... Values>
std::string format(const char* pattern, Values... values) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), pattern, values...);
  return text.data();
}

}  // namespace

std::string human_count(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, 1, ',');
  return digits;
}

std::string human_count(std::uint64_t count, const std::string& noun) {
  return human_count(count) + ' ' + noun + (count == 1 ? "" : "s");
}

std::string human_number(double number, int digits) { return format("%.*g", digits, number); }

std::string human_bytes(std::uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " bytes";
  constexpr std::array kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return format(value == std::floor(value) ? "%.0f " : "%.1f ", value) + kUnits[unit];
}

std::string human_time(std::chrono::duration<double> time) {
  const double seconds = std::min(time.count(), 1e9);  // an estimate may be infinite
  if (seconds < 10 && seconds != std::floor(seconds)) return format("%.2f s", seconds);
  const auto whole = static_cast<int>(std::lround(seconds));
  if (whole < 60) return format("%d s", whole);
  if (whole < 3600) return format("%d min %02d s", whole / 60, whole % 60);
  return format("%d h %02d min", whole / 3600, whole / 60 % 60);
}

}  // namespace elmo

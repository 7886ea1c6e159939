#include "core/text.h"

#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace elmo {

std::string formatted(const char* pattern, ...) {
  std::va_list values;
  std::va_list same_values;
  va_start(values, pattern);
  va_copy(same_values, values);
  const int size = std::vsnprintf(nullptr, 0, pattern, values);
  va_end(values);
  std::string text(static_cast<std::size_t>(size), '\0');
  std::vsnprintf(text.data(), text.size() + 1, pattern, same_values);
  va_end(same_values);
  return text;
}

std::string human_count(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t end = digits.size(); end > 3; end -= 3) digits.insert(end - 3, 1, ',');
  return digits;
}

std::string human_count(std::uint64_t count, const std::string& noun) {
  const std::string number = human_count(count) + ' ';
  if (count == 1) return number + noun;
  constexpr std::string_view kVowels = "aeiou";
  const bool ies = noun.size() > 1 && noun.ends_with('y') &&
                   kVowels.find(noun[noun.size() - 2]) == std::string_view::npos;
  return number + (ies ? noun.substr(0, noun.size() - 1) + "ies" : noun + 's');
}

std::string human_number(double number, int digits) { return formatted("%.*g", digits, number); }

std::string human_bytes(std::uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " bytes";
  constexpr std::array kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return formatted(value == std::floor(value) ? "%.0f " : "%.1f ", value) + kUnits[unit];
}

std::string human_time(std::chrono::duration<double> time) {
  constexpr double kMax = 1e9;  // 30 years
  const double seconds = time.count() > 0 ? std::min(time.count(), kMax) : 0;
  if (seconds < 10 && seconds != std::floor(seconds)) return formatted("%.2f s", seconds);
  const auto whole = static_cast<int>(std::lround(seconds));
  if (whole < 60) return formatted("%d s", whole);
  if (whole < 3600) return formatted("%d min %02d s", whole / 60, whole % 60);
  return formatted("%d h %02d min", whole / 3600, whole / 60 % 60);
}

std::string human_time(double seconds) {
  return human_time(std::chrono::duration<double>(seconds));
}

std::string human_time_left(std::chrono::duration<double> time) {
  return human_time(std::ceil(time.count()));
}

std::uint64_t nearest_whole(double number) {
  constexpr double kMax = 1e18;  // fits a whole number
  return number > 0 ? static_cast<std::uint64_t>(std::llround(std::min(number, kMax))) : 0;
}

std::string human_rate(double per_second, const std::string& units) {
  return human_count(nearest_whole(per_second)) + ' ' + units + "/s";
}

std::string human_rate(double count, std::chrono::duration<double> time, const std::string& units) {
  return human_rate(count / time.count(), units);
}

}  // namespace elmo

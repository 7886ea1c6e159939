// Numbers as people read them.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace elmo {

/// What printf makes of `pattern` and the values, whose types the compiler checks.
[[gnu::format(printf, 1, 2)]] std::string formatted(const char* pattern, ...);

std::string human_count(std::uint64_t count);  ///< "1,234,567"
std::string human_bytes(std::uint64_t bytes);  ///< "1.5 GiB", "640 bytes"

/// "0.42 s", "7 s", "3 min 20 s", "5 h 02 min". An estimate may be infinite or NaN: what is more
/// than 30 years counts as that, what is no number or less than 0 as 0.
std::string human_time(std::chrono::duration<double> time);
/// The same in whole seconds, rounded up.
std::string human_time_left(std::chrono::duration<double> time);

/// The whole number that is nearest, at most 10^18; 0 for NaN and what is less than 0. A cast is
/// undefined for those that do not fit.
std::uint64_t nearest_whole(double number);

/// "1,234 tokens/s"; the rate is rounded as nearest_whole does.
std::string human_rate(double per_second, const std::string& units);
/// The rate of that many units in that time.
std::string human_rate(double count, std::chrono::duration<double> time, const std::string& units);

/// "39.712", "0.00098": this many significant digits, without zeros at the end.
std::string human_number(double number, int digits);

/// "1 token", "2 tokens", "2 entries": the count with its noun, the plural made by an s.
std::string human_count(std::uint64_t count, const std::string& noun);

}  // namespace elmo

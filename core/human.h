// Numbers as people read them.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace elmo {

/// Formats like printf. The compiler checks the types of the values.
[[gnu::format(printf, 1, 2)]] std::string formatted(const char* pattern, ...);

std::string human_count(std::uint64_t count);  ///< "1,234,567"
std::string human_bytes(std::uint64_t bytes);  ///< "1.5 GiB", "640 bytes"

/// "0.42 s", "7 s", "3 min 20 s", "5 h 02 min". Estimates may be infinite or NaN: the maximum is 30
/// years, and NaN and negative times count as 0.
std::string human_time(std::chrono::duration<double> time);
std::string human_time(double seconds);
/// The same in whole seconds, rounded up.
std::string human_time_left(std::chrono::duration<double> time);

/// Rounds to the nearest whole number, at most 10^18. Returns 0 for NaN and negative numbers. A
/// cast would be undefined for numbers that do not fit.
std::uint64_t nearest_whole(double number);

/// "1,234 tokens/s"; the rate is rounded by nearest_whole.
std::string human_rate(double per_second, const std::string& units);
/// The rate of `count` units in `time`.
std::string human_rate(double count, std::chrono::duration<double> time, const std::string& units);

/// "39.712", "0.00098": `digits` significant digits, without trailing zeros.
std::string human_number(double number, int digits);

/// "1 token", "2 tokens", "2 entries": the count with its noun. The plural is regular.
std::string human_count(std::uint64_t count, const std::string& noun);

}  // namespace elmo

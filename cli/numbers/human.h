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
std::string human_time(
    std::chrono::duration<double> t);  ///< "0.42 s", "7 s", "3 min 20 s", "5 h 02 min"

/// "1,234 tokens/s": that many units in that time. A time too short to measure counts as one
/// nanosecond, so that every rate is finite.
std::string human_rate(double count, std::chrono::duration<double> time, const std::string& units);

/// "39.712", "0.00098": this many significant digits, without zeros at the end.
std::string human_number(double number, int digits);

/// "1 token", "2 tokens", "2 entries": the count with its noun, the plural made by an s.
std::string human_count(std::uint64_t count, const std::string& noun);

}  // namespace elmo

// Ranges of numbers on the command line. A range makes both the check and the text in the help.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace elmo {

/// Whole numbers, both ends included.
struct WholeRange {
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

  bool holds(std::uint64_t number) const { return number >= least && number <= most; }
  std::string text() const;  ///< "1 to 1024"; large powers as "2^30" or "10^6"
};

/// Finite numbers. No range contains NaN.
struct NumberRange {
  enum class End { included, excluded };

  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  End least_end = End::included;
  End most_end = End::included;

  bool holds(double number) const;
  std::string text() const;  ///< "more than 0, at most 10^6"; empty: every finite number
};

inline constexpr NumberRange kPositive{.least = 0, .least_end = NumberRange::End::excluded};
inline constexpr NumberRange kNotNegative{.least = 0};
inline constexpr NumberRange kShare{.least = 0, .most = 1, .most_end = NumberRange::End::excluded};

/// Parse all of `text` as a decimal number. Return nothing if it is not a number or does not fit
/// the type. A whole number has no sign.
std::optional<std::uint64_t> whole_number(std::string_view text);
std::optional<float> finite_number(std::string_view text);

/// Splits `list` at commas into views of it. Keeps empty items: "a,,b" has three items, "" has one.
std::vector<std::string_view> comma_list(std::string_view list);

/// Parses a number of bytes with an optional unit: "65536", "64M", "1GiB". K, M, G and T are powers
/// of 1024. Returns nothing if `text` has another form or the number exceeds 64 bits.
std::optional<std::uint64_t> byte_count(std::string_view text);

}  // namespace elmo

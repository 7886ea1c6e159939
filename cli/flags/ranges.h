// What numbers on the command line may be: one description makes the check and the help's text.
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

/// Finite numbers. NaN is in none of them.
struct NumberRange {
  enum class End { included, excluded };

  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  End least_end = End::included;
  End most_end = End::included;

  bool holds(double number) const;
  std::string text() const;  ///< "more than 0, at most 10^6"; empty where every finite number is in
};

inline constexpr NumberRange kPositive{.least = 0, .least_end = NumberRange::End::excluded};
inline constexpr NumberRange kNotNegative{.least = 0};
inline constexpr NumberRange kShare{.least = 0, .most = 1, .most_end = NumberRange::End::excluded};

/// The decimal number that `text` spells from its first to its last character; nothing where it is
/// none or does not fit the type. A whole number has no sign.
std::optional<std::uint64_t> whole_number(std::string_view text);
std::optional<float> finite_number(std::string_view text);

/// What stands between the commas of a list: of "a,,b" also the empty text, of "" that alone. Views
/// of `list`.
std::vector<std::string_view> comma_list(std::string_view list);

/// Bytes with a unit or none: "65536", "64M", "1GiB"; K, M, G and T are powers of 1024. Nothing
/// where `text` is something else, or more than 64 bits hold.
std::optional<std::uint64_t> byte_count(std::string_view text);

}  // namespace elmo

#include "core/version.h"

#include <array>
#include <charconv>
#include <optional>

namespace elmo {
namespace {

using Numbers = std::array<unsigned, 3>;  // major, minor, patch

/// Returns nothing unless `text` has three numbers between full stops and nothing else.
std::optional<Numbers> numbers_of(std::string_view text) {
  Numbers numbers{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t index = 0; index < numbers.size(); ++index) {
    if (index > 0 && (at == end || *at++ != '.')) return std::nullopt;
    const auto [after, error] = std::from_chars(at, end, numbers[index]);
    if (error != std::errc()) return std::nullopt;
    at = after;
  }
  return at == end ? std::optional(numbers) : std::nullopt;
}

}  // namespace

std::string_view version() { return ELMO_VERSION; }

bool continues_version(std::string_view other) {
  const std::optional<Numbers> numbers = numbers_of(other);
  return numbers && *numbers >= *numbers_of(kResultsSince) && *numbers <= *numbers_of(version());
}

}  // namespace elmo

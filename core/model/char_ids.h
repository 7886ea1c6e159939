// Tokens as character ids (bytes of UTF-8), as in the published models.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace elmo {

/// Rows of the character embedding, before any shift for a mask: bytes 0–255, then the marks.
inline constexpr std::int32_t kBeginSentenceId = 256;
inline constexpr std::int32_t kEndSentenceId = 257;
inline constexpr std::int32_t kBeginWordId = 258;
inline constexpr std::int32_t kEndWordId = 259;
inline constexpr std::int32_t kPaddingId = 260;

/// Fills `ids` with [begin word, bytes…, end word, padding…] and returns the number of ids that are
/// not padding. Cuts bytes past ids.size() − 2, possibly inside a character, as the reference does.
std::size_t char_ids(std::string_view token, std::span<std::int32_t> ids);

/// As char_ids() for a boundary, whose one "character" is kBeginSentenceId or kEndSentenceId.
std::size_t boundary_ids(std::int32_t mark, std::span<std::int32_t> ids);

}  // namespace elmo

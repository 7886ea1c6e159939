#include "core/model/char_ids.h"

#include <algorithm>

namespace elmo {

std::size_t char_ids(std::string_view token, std::span<std::int32_t> ids) {
  const std::size_t kept = std::min(token.size(), ids.size() - 2);
  ids[0] = kBeginWordId;
  for (std::size_t i = 0; i < kept; ++i) ids[i + 1] = static_cast<unsigned char>(token[i]);
  ids[kept + 1] = kEndWordId;
  std::fill(ids.begin() + static_cast<std::ptrdiff_t>(kept) + 2, ids.end(), kPaddingId);
  return kept + 2;
}

std::size_t boundary_ids(std::int32_t mark, std::span<std::int32_t> ids) {
  ids[0] = kBeginWordId;
  ids[1] = mark;
  ids[2] = kEndWordId;
  std::fill(ids.begin() + 3, ids.end(), kPaddingId);
  return 3;
}

}  // namespace elmo

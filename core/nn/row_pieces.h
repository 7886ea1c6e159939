// Division of a matrix's rows among workers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/parallel/workers.h"

namespace elmo {

/// Calls work(first, end) for pieces of consecutive rows, in parallel. The pieces depend on the
/// number of rows only, so results do not depend on the number of workers.
template <typename Work>
void for_row_pieces(std::int64_t rows, Workers& workers, Work work) {
  constexpr std::int64_t kPieces = 8;
  // Products of fewer rows do not run at full speed.
  constexpr std::int64_t kMinRows = 48;
  const std::int64_t pieces = std::clamp<std::int64_t>(rows / kMinRows, 1, kPieces);
  workers.run(static_cast<std::size_t>(pieces), [&](std::size_t piece) {
    const std::int64_t first = rows * static_cast<std::int64_t>(piece) / pieces;
    const std::int64_t end = rows * (static_cast<std::int64_t>(piece) + 1) / pieces;
    if (first < end) work(first, end);
  });
}

/// The number of blocks of `block` elements in `size`; the last may be smaller.
constexpr std::int64_t block_count(std::int64_t size, std::int64_t block) {
  return (size + block - 1) / block;
}

/// Calls work(first, end) for each of these blocks, in parallel.
template <typename Work>
void for_blocks(std::int64_t size, std::int64_t block, Workers& workers, const Work& work) {
  workers.run(static_cast<std::size_t>(block_count(size, block)), [&](std::size_t number) {
    const std::int64_t first = static_cast<std::int64_t>(number) * block;
    work(first, std::min(first + block, size));
  });
}

}  // namespace elmo

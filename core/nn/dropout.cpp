#include "core/nn/dropout.h"

#include <algorithm>

#include "core/kernels/random.h"

namespace elmo {

namespace {

// Values that one worker processes at a time.
constexpr std::int64_t kBlock = std::int64_t{1} << 15;

DropoutKey key_of(const PassOptions& options, std::uint32_t place) {
  return {options.seed, options.step, place};
}

}  // namespace

void drop(const PassOptions& options, float rate, std::uint32_t place, Workers& workers,
          Matrix& values) {
  if (!options.training || rate == 0.0F) return;
  const std::int64_t size = values.rows * values.columns;
  const std::int64_t blocks = (size + kBlock - 1) / kBlock;
  workers.run(static_cast<std::size_t>(blocks), [&](std::size_t block) {
    const std::int64_t first = static_cast<std::int64_t>(block) * kBlock;
    float* at = values.values.data() + first;
    dropout(key_of(options, place), rate, first, at, std::min(kBlock, size - first), at);
  });
}

float kept_factor(const PassOptions& options, float rate) {
  return options.training ? 1.0F / (1.0F - rate) : 1.0F;
}

void drop_columns(const PassOptions& options, float rate, std::uint32_t place, Matrix& values,
                  std::int64_t column, std::int64_t columns) {
  if (!options.training || rate == 0.0F) return;
  for (std::int64_t row = 0; row < values.rows; ++row) {
    float* at = values.row(row) + column;
    dropout(key_of(options, place), rate, row * columns, at, columns, at);
  }
}

}  // namespace elmo

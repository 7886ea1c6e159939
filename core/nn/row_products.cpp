#include "core/nn/row_products.h"

#include <algorithm>

namespace elmo {
namespace {

constexpr std::int64_t kPieces = 8;
// With fewer rows a product no longer runs at full speed.
constexpr std::int64_t kMinRows = 48;

}  // namespace

void multiply(MatrixView a, MatrixView b, std::int64_t m, std::int64_t n, std::int64_t k, float* c,
              std::int64_t stride, Result result, Workers& workers) {
  const std::int64_t pieces = std::clamp<std::int64_t>(m / kMinRows, 1, kPieces);
  workers.run(static_cast<std::size_t>(pieces), [&](std::size_t piece) {
    const std::int64_t first = m * static_cast<std::int64_t>(piece) / pieces;
    const std::int64_t end = m * (static_cast<std::int64_t>(piece) + 1) / pieces;
    if (first == end) return;
    const float* from = a.values + (a.transposed ? first : first * a.stride);
    multiply({from, a.stride, a.transposed}, b, end - first, n, k, c + first * stride, stride,
             result);
  });
}

}  // namespace elmo

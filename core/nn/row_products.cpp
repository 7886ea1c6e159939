#include "core/nn/row_products.h"

#include "core/nn/row_pieces.h"

namespace elmo {

void multiply(MatrixView a, MatrixView b, std::int64_t m, std::int64_t n, std::int64_t k, float* c,
              std::int64_t stride, Result result, Workers& workers) {
  for_row_pieces(m, workers, [&](std::int64_t first, std::int64_t end) {
    const float* from = a.values + (a.transposed ? first : first * a.stride);
    multiply({from, a.stride, a.transposed}, b, end - first, n, k, c + first * stride, stride,
             result);
  });
}

}  // namespace elmo

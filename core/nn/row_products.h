// Matrix products of many rows, side by side on workers.
#pragma once

#include <cstdint>

#include "core/kernels/sgemm.h"
#include "core/parallel/workers.h"

namespace elmo {

/// multiply(), in pieces of consecutive rows of c. Where they begin depends on m alone, so that the
/// number of workers changes no bit. c must not overlap a and b.
void multiply(MatrixView a, MatrixView b, std::int64_t m, std::int64_t n, std::int64_t k, float* c,
              std::int64_t stride, Result result, Workers& workers);

}  // namespace elmo

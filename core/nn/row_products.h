// Matrix products of many rows, in parallel on workers.
#pragma once

#include <cstdint>

#include "core/kernels/sgemm.h"
#include "core/parallel/workers.h"

namespace elmo {

/// multiply() in pieces of consecutive rows of c, in parallel. The pieces depend on m only, so the
/// result does not depend on the number of workers. c must not overlap a and b.
void multiply(MatrixView a, MatrixView b, std::int64_t m, std::int64_t n, std::int64_t k, float* c,
              std::int64_t stride, Result result, Workers& workers);

}  // namespace elmo

// Matrix products with weights that change from step to step, with oneDNN's sgemm.
#pragma once

#include <cstdint>

namespace elmo {

/// A row-major matrix, read as it is or transposed. `stride` is the distance between rows in
/// memory, at least their length.
struct MatrixView {
  const float* values = nullptr;
  std::int64_t stride = 0;
  bool transposed = false;
};

/// A product replaces the result (beta 0) or is added to it (beta 1).
enum class Result { replaced, added };

/// Computes c [m, n] = a [m, k] · b [k, n], row-major, rows of c `stride` apart. Uses the calling
/// thread's number of threads (set_threads_of_this_thread). m, n and k may be 0. Any thread.
void multiply(MatrixView a, MatrixView b, std::int64_t m, std::int64_t n, std::int64_t k, float* c,
              std::int64_t stride, Result result);

}  // namespace elmo

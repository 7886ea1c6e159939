// Matrix products of weights that change from step to step, by oneDNN's sgemm.
#pragma once

#include <cstdint>

namespace elmo {

/// A row-major matrix that is read as it is or transposed. `stride` is the distance between the
/// rows as they lie in memory, at least their length.
struct MatrixView {
  const float* values = nullptr;
  std::int64_t stride = 0;
  bool transposed = false;
};

/// Whether a product replaces what its result holds or is added to it.
enum class Result { replaced, added };

/// c [m, n] = a [m, k] · b [k, n], row-major, rows of c `stride` apart. Uses as many threads as
/// the calling one may (set_threads_of_this_thread). m, n and k may be 0. Any thread.
void multiply(MatrixView a, MatrixView b, std::int64_t m, std::int64_t n, std::int64_t k, float* c,
              std::int64_t stride, Result result);

}  // namespace elmo

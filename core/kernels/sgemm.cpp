#include "core/kernels/sgemm.h"

#include <algorithm>
#include <new>

#include "core/kernels/onednn.h"

namespace elmo {

void multiply(MatrixView a, MatrixView b, std::int64_t m, std::int64_t n, std::int64_t k, float* c,
              std::int64_t stride, Result result) {
  // oneDNN does not accept null pointers, which empty matrices may have.
  if (m == 0 || n == 0) return;
  if (k == 0) {
    for (std::int64_t row = 0; row < m && result == Result::replaced; ++row) {
      std::fill_n(c + row * stride, n, 0.0F);
    }
    return;
  }
  // Checks once for free memory: the first product generates the code for all.
  static const bool ready = onednn::create([] { return true; });
  static_cast<void>(ready);
  const dnnl_status_t status =
      dnnl_sgemm(a.transposed ? 'T' : 'N', b.transposed ? 'T' : 'N', m, n, k, 1.0F, a.values,
                 a.stride, b.values, b.stride, result == Result::added ? 1.0F : 0.0F, c, stride);
  if (status == dnnl_out_of_memory) throw std::bad_alloc();
  dnnl::error::wrap_c_api(status, "could not multiply matrices");
}

}  // namespace elmo

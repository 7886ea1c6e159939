// The speed of oneDNN's matmul on this machine, which is the limit for all other measurements.
#pragma once

#include "core/kernels/precision.h"

namespace elmo {

/// Operations per second (a multiplication and an addition are two) of products of two matrices of
/// 2048 x 2048, for two ways of using threads.
struct MatmulPeak {
  double one_product = 0.0;   ///< all threads in one product
  double side_by_side = 0.0;  ///< a product on each thread

  double best() const { return one_product > side_by_side ? one_product : side_by_side; }
};

/// Measures both ways with `threads` threads, each as the median of a few runs: float32 · float32 →
/// float32, bfloat16 · bfloat16 → float32 or uint8 · int8 → int32. The second matrix has the layout
/// that oneDNN requests. Takes about 3e11 operations per thread. Other load on the machine reduces
/// the numbers.
MatmulPeak measure_matmul_peak(Precision precision, int threads);

}  // namespace elmo

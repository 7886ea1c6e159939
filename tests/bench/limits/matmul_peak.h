// What oneDNN's matmul reaches on this machine: the limit that everything else is measured by.
#pragma once

#include "core/kernels/precision.h"

namespace elmo {

/// Operations per second, a multiplication and an addition counting as two, of products of two
/// matrices of 2048 x 2048, by the two ways of giving threads something to do.
struct MatmulPeak {
  double one_product = 0.0;   ///< all threads in one product
  double side_by_side = 0.0;  ///< a product on each thread

  double best() const { return one_product > side_by_side ? one_product : side_by_side; }
};

/// Measures both ways with `threads` threads, medians of a few runs each: float32 · float32 →
/// float32, bfloat16 · bfloat16 → float32 or uint8 · int8 → int32, the second matrix in the layout
/// that oneDNN asks for. Takes about 3e11 operations for each thread. Other work on the machine
/// makes the numbers smaller.
MatmulPeak measure_matmul_peak(Precision precision, int threads);

}  // namespace elmo

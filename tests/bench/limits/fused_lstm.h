// oneDNN's fused LSTM layer with projection. `elmo-bench` compares it with core/model/lstm, which
// composes the same layer from matrix products and a gate kernel.
//
// In float32 the composed layer was faster in every run. In bfloat16 they were equally fast on a
// CPU that is slow in it (0.95 and 0.96 of the matmul peak). The composed layer also supports clips
// and int8, which oneDNN does not, and lets sentences end at different steps.
//
// In bfloat16 with a projection, only the time of the fused layer is valid. On a CPU with AVX-512
// BF16 but without AMX, the results of oneDNN 2.6.3 and 3.7.2 are wrong from the first step on. The
// likely cause is the layout that it requests for the projection's weights.
#pragma once

#include <cstdint>
#include <memory>

#include "core/kernels/precision.h"

namespace elmo {

/// One layer of one direction without clips, for sentences of equal length that begin from the zero
/// state. One thread at a time.
class FusedLstm {
 public:
  /// The weights of a layer, row-major, as published; gates in the order i, j, f, o.
  struct Weights {
    const float* input_and_recurrent = nullptr;  ///< W_0 [2P, 4D]
    const float* bias = nullptr;                 ///< B [4D]
    const float* projection = nullptr;           ///< W_P_0 [D, P]; null where D == P
    float forget_offset = 0.0F;                  ///< added to the forget gate's bias
  };

  /// Packs the weights for runs over `steps` steps of `lanes` sentences. `precision` is float32 or
  /// bfloat16; std::logic_error for int8, because oneDNN has no int8 LSTM with projection. Computes
  /// with the number of threads set for the constructing thread.
  FusedLstm(const Weights& weights, std::int64_t cells, std::int64_t projection_dim,
            std::int64_t steps, std::int64_t lanes, Precision precision);
  ~FusedLstm();
  FusedLstm(FusedLstm&&) noexcept;
  FusedLstm& operator=(FusedLstm&&) noexcept;

  /// Computes `to` [T, B, P], h of every step, for `from` [T, B, P]. In bfloat16 both are rounded,
  /// and the result may be wrong (see above).
  void run(const float* from, float* to);

 private:
  struct Primitive;
  std::unique_ptr<Primitive> primitive_;
};

}  // namespace elmo

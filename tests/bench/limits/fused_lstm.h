// oneDNN's fused LSTM layer with projection, to compare with.
//
// `elmo-bench` measures it beside core/model/lstm, which composes the same layer from matrix
// products and a gate kernel and is what embeds text. In float32 the composed layer was faster in
// every run; in bfloat16 the two were level where the CPU is slow in it (0.95 and 0.96 of the
// matmul peak). The composed layer is also exact for models with clips, which oneDNN does not know,
// knows int8, and lets sentences end at different steps.
//
// In bfloat16 with a projection the fused layer is good for its time only: on a CPU with AVX-512
// BF16 and without AMX, what oneDNN 2.6.3 and 3.7.2 compute is wrong from the first step on. The
// layout that it asks for the projection's weights in looks like the cause.
#pragma once

#include <cstdint>
#include <memory>

#include "core/kernels/precision.h"

namespace elmo {

/// One layer of one direction without clips, over equally long sentences that begin from the zero
/// state. Not for two threads at once.
class FusedLstm {
 public:
  /// What a layer is made of, row-major, as published; gates in the order i, j, f, o.
  struct Weights {
    const float* input_and_recurrent = nullptr;  ///< W_0 [2P, 4D]
    const float* bias = nullptr;                 ///< B [4D]
    const float* projection = nullptr;           ///< W_P_0 [D, P]; null where D == P
    float forget_offset = 0.0F;                  ///< added to the forget gate's bias
  };

  /// Packs the weights for runs over `steps` steps of `lanes` sentences. float32 or bfloat16
  /// (std::logic_error: oneDNN has no int8 LSTM with projection). It computes with the number of
  /// threads that is set for the thread that makes it.
  FusedLstm(const Weights& weights, std::int64_t cells, std::int64_t projection_dim,
            std::int64_t steps, std::int64_t lanes, Precision precision);
  ~FusedLstm();
  FusedLstm(FusedLstm&&) noexcept;
  FusedLstm& operator=(FusedLstm&&) noexcept;

  /// to [T, B, P] = h of every step for from [T, B, P]; in bfloat16 both are rounded on the way,
  /// and the result may be wrong (see above).
  void run(const float* from, float* to);

 private:
  struct Primitive;
  std::unique_ptr<Primitive> primitive_;
};

}  // namespace elmo

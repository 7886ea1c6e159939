// oneDNN's fused LSTM layer with projection, to compare with.
//
// `elmo bench` measures it beside core/model/lstm, which composes the same layer from matrix
// products and a gate kernel and is what embeds text. The composed layer was faster at every batch
// size tried, in float32 and bfloat16 alike: in the fused one all gates of a step leave the cache
// before they are used. It is also exact for models with clips, which oneDNN does not know, knows
// int8, and lets sentences end at different steps.
//
// In bfloat16 the fused layer is good for its time only: on CPUs with AVX-512 BF16 and without AMX,
// oneDNN 2.6 to 3.7 reads the projection's weights in pairs of rows but asks for them row by row,
// so that what comes out means nothing.
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
    const float* bias = nullptr;                 ///< B [4D], without the forget gate's +1.0
    const float* projection = nullptr;           ///< W_P_0 [D, P]; null where D == P
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

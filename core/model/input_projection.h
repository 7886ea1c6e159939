// The projection at the end of a token encoder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/kernels/gemm.h"
#include "core/kernels/precision.h"
#include "core/model/stored_parameters.h"
#include "core/model/token_encoder.h"

namespace elmo {

/// x = v·W + b: projects a token's features v to its vector x. Immutable, so threads may share it.
class InputProjection {
 public:
  /// Packs W [inputs, P] for products in `precision` and releases both parameters.
  InputProjection(const AffineIndex& index, StoredParameters& parameters, Precision precision);

  /// Writes x of row i of `rows` to to[indices[i] · P …]. `rows` has no gaps and has room for
  /// GemmWorkspace::padded_rows(indices.size()) rows. Uses `product` and `projected` of `ws`.
  void apply(const float* rows, std::span<const std::size_t> indices, float* to,
             EncoderWorkspace& ws) const;

 private:
  PackedMatrix weights_;
  AlignedVector<float> bias_;
};

}  // namespace elmo

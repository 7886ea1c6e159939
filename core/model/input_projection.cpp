#include "core/model/input_projection.h"

namespace elmo {

InputProjection::InputProjection(const AffineIndex& index, StoredParameters& parameters,
                                 Precision precision)
    : weights_(parameters.pack(index.weights, precision)), bias_(parameters.take(index.bias)) {}

void InputProjection::apply(const float* rows, std::span<const std::size_t> indices, float* to,
                            EncoderWorkspace& ws) const {
  const auto count = static_cast<std::int64_t>(indices.size());
  const std::int64_t width = weights_.columns();
  grow(ws.projected, GemmWorkspace::padded_rows(count) * width);
  ws.product.set_input(rows, count, weights_.rows(), weights_.precision());
  ws.product.multiply(weights_, ws.projected.data(), ws.gemm);
  const float* projected = ws.projected.data();
  for (const std::size_t index : indices) {
    float* vector = to + static_cast<std::int64_t>(index) * width;
    for (std::int64_t p = 0; p < width; ++p) {
      vector[p] = projected[p] + bias_[static_cast<std::size_t>(p)];
    }
    projected += width;
  }
}

}  // namespace elmo

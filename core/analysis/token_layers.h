// Layers of a biLM within a token's activations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/inference/sink.h"

namespace elmo {

/// A layer's vector: a contiguous part of a token's R · W numbers.
struct TokenLayer {
  std::string name;  ///< "x", "1" … "L"; with a single row, its name: "top", "average", "mix"
  std::int64_t begin = 0;  ///< offset of its first number
  std::int64_t width = 0;  ///< P for x, the token without context; else 2P
};

/// The layers of activations with all rows: x, h_1 = [forward_1; backward_1], …, h_L (Peters et al.
/// 2018, section 3.2, except that their h_0 = [x; x], which has the same cosines as x). With a
/// single row: that row.
std::vector<TokenLayer> token_layers(const ActivationLayout& layout);

}  // namespace elmo

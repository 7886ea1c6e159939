// The layers of a biLM among the activations of a token.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/inference/sink.h"

namespace elmo {

/// A layer's vector: it stands in one piece among a token's R · W numbers.
struct TokenLayer {
  std::string name;        ///< "x", "1" … "L"; of a single row its name: "top", "average", "mix"
  std::int64_t begin = 0;  ///< its first number
  std::int64_t width = 0;  ///< P of x, which is the token without context; else 2P
};

/// Of all rows: x, h_1 = [forward_1; backward_1], …, h_L (Peters et al. 2018, section 3.2, except
/// h_0 = [x; x], which has the cosines of x). Of a single row: that row.
std::vector<TokenLayer> token_layers(const ActivationLayout& layout);

}  // namespace elmo

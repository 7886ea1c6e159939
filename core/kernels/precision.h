// The number formats that matrix products can be computed in.
#pragma once

#include <string_view>

namespace elmo {

/// float32: everything in float32. bfloat16: weights and inputs of the products in bfloat16.
/// int8: weights in int8 per output channel, inputs quantised per row at run time.
/// Cell state, gates and sums of products are float32 (int8: int32 sums) in all of them.
enum class Precision { float32, bfloat16, int8 };

std::string_view to_string(Precision precision);

}  // namespace elmo

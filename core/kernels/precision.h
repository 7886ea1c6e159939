// The number formats that matrix products can be computed in.
#pragma once

#include "core/enum_table.h"

namespace elmo {

/// float32: everything in float32. bfloat16: weights and inputs of the products in bfloat16.
/// int8: weights in int8 per output channel, inputs quantized per row at run time.
/// Cell state, gates and sums of products are float32 (int8: int32 sums) in all of them.
enum class Precision { float32, bfloat16, int8 };

inline constexpr auto kPrecisions = enum_table<Precision>({{"float32", Precision::float32},
                                                           {"bfloat16", Precision::bfloat16},
                                                           {"int8", Precision::int8}});

}  // namespace elmo

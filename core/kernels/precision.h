// Number formats of matrix products.
#pragma once

#include "core/enum_table.h"

namespace elmo {

/// float32: everything in float32. bfloat16: weights and inputs of products in bfloat16. int8:
/// weights in int8 with a scale per output channel, inputs quantized per row at run time. Cell
/// state, gates and sums of products are always float32, except that int8 products sum in int32.
enum class Precision { float32, bfloat16, int8 };

inline constexpr auto kPrecisions = enum_table<Precision>({{"float32", Precision::float32},
                                                           {"bfloat16", Precision::bfloat16},
                                                           {"int8", Precision::int8}});

}  // namespace elmo

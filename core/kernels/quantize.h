// Rows of floats to uint8 and back, for int8 products.
#pragma once

#include <cstdint>

#include "core/tensor/aligned.h"

namespace elmo {

/// to[r][k] = round(from[r][k] / scales[r]) + kQuantizedZero, scales[r] = max_k |from[r][k]| / 127
/// (1 for a row of numbers below 1e-30, which become zeros; not a number where one of the row is
/// none, and then nothing that is scaled by it is a number either). `from` has row stride `stride`,
/// `to` is [rows, columns] without gaps. Any thread.
void quantize_rows(const float* from, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                   std::uint8_t* to, float* scales);

/// to[r][n] = scales[r] · column_scales[n] · (sums[r][n] − offsets[n]); both [rows, columns]
/// without gaps. Any thread.
void dequantize_sums(const std::int32_t* sums, const float* scales, const float* column_scales,
                     const std::int32_t* offsets, std::int64_t rows, std::int64_t columns,
                     float* to);

}  // namespace elmo

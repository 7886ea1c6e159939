// Rows of floats to eight bits and back: uint8 and int8 for products, int8 for what is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/tensor/aligned.h"

namespace elmo {

/// The number that stands for 0 in a quantized row: rows are kept as uint8 because that is what the
/// int8 dot-product instructions take on one side.
inline constexpr std::int32_t kQuantizedZero = 128;

/// to[r][k] = round(from[r][k] / scales[r]) + kQuantizedZero, scales[r] = max_k |from[r][k]| / 127
/// (1 for a row of numbers below 1e-30, which become zeros; not a number where one of the row is
/// none, and then nothing that is scaled by it is a number either). `from` has row stride `stride`,
/// `to` is [rows, columns] without gaps. Any thread.
void quantize_rows(const float* from, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                   std::uint8_t* to, float* scales);

/// The other side of a product: to[k][n] = from[k][n] / scales[n], rounded to a whole number,
/// halves away from zero; scales[n] = max_k |from[k][n]| / 127 (1 for a column of zeros; not a
/// number where one of the column is none); offsets[n] = kQuantizedZero · Σ_k to[k][n]. `from` has
/// row stride `stride`, `to` is [rows, columns] without gaps. Any thread.
void quantize_columns(const float* from, std::int64_t rows, std::int64_t columns,
                      std::int64_t stride, std::int8_t* to, float* scales, std::int32_t* offsets);

/// to[r][n] = scales[r] · column_scales[n] · (sums[r][n] − offsets[n]); both [rows, columns]
/// without gaps. Any thread.
void dequantize_sums(const std::int32_t* sums, const float* scales, const float* column_scales,
                     const std::int32_t* offsets, std::int64_t rows, std::int64_t columns,
                     float* to);

/// Magnitudes below this are zero to a row of scaled int8.
inline constexpr float kMinScaled = 1e-30F;

/// Rows of `width` numbers as int8 that share a scale: scales[r] = max_k |from[r][k]| / 127, and
/// to[r][k] = from[r][k] / scales[r], both divisions rounded to float, then to a whole number, half
/// to even: −127 to 127. A row of nothing from kMinScaled on is zeros of scale 0. A row that has
/// a number that is infinite or none has such a scale, and nothing that is scaled by it is finite.
/// `from` and `to` have scales.size() * width elements. Any thread.
void to_scaled_int8(std::span<const float> from, std::size_t width, std::span<std::int8_t> to,
                    std::span<float> scales);

/// to[r][k] = from[r][k] · scales[r], rounded to float; sizes as above. Infinite only where a row
/// had a magnitude of 2^128 · (1 − 2^-23) or more. Any thread.
void from_scaled_int8(std::span<const std::int8_t> from, std::span<const float> scales,
                      std::size_t width, std::span<float> to);

}  // namespace elmo

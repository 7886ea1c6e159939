// Conversions between number formats, and quantization of rows of floats to 8 bits: uint8 and int8
// for products, int8 for storage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/matrix.h"

namespace elmo {

/// Converts to IEEE 754 binary16, rounding to nearest even. Values beyond its range become
/// infinities. `to` has the size of `from`. Any thread.
void to_float16(std::span<const float> from, std::span<std::uint16_t> to);

/// Converts from float16, exactly. `to` has the size of `from`. Any thread.
void from_float16(std::span<const std::uint16_t> from, std::span<float> to);

/// Converts to bfloat16, rounding to nearest even. `to` has the size of `from`. Any thread.
void to_bfloat16(std::span<const float> from, std::span<std::uint16_t> to);

/// Converts from bfloat16, exactly. `to` has the size of `from`. Any thread.
void from_bfloat16(std::span<const std::uint16_t> from, std::span<float> to);

/// The uint8 value that represents 0 in a quantized row. Rows are uint8 because int8 dot-product
/// instructions require it for one operand.
inline constexpr std::int32_t kQuantizedZero = 128;

/// quantize_rows() and to_scaled_int8() treat a row of magnitudes below this as zeros, because the
/// reciprocal of its scale might not be finite.
inline constexpr float kMinScaled = 1e-30F;

/// Quantizes the left operand of a product: to[r][k] = round(from[r][k] / scales[r]) +
/// kQuantizedZero with scales[r] = max_k |from[r][k]| / 127. A row of magnitudes below kMinScaled
/// has scale 1 and becomes zeros. A row with a NaN has a NaN scale, so everything scaled by it is
/// NaN. `from` has row stride `stride`; `to` is [rows, columns] without gaps. Any thread.
void quantize_rows(const float* from, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                   std::uint8_t* to, float* scales);

/// Quantizes the right operand of a product: to[k][n] = from[k][n] / scales[n], rounded to an
/// integer, halves away from zero, with scales[n] = max_k |from[k][n]| / 127. A column of zeros has
/// scale 1, a column with a NaN has scale NaN. offsets[n] = kQuantizedZero · Σ_k to[k][n]. `from`
/// has row stride `stride`; `to` is [rows, columns] without gaps. Any thread.
void quantize_columns(const float* from, std::int64_t rows, std::int64_t columns,
                      std::int64_t stride, std::int8_t* to, float* scales, std::int32_t* offsets);

/// Computes to[r][n] = scales[r] · column_scales[n] · (sums[r][n] − offsets[n]). Both are [rows,
/// columns] without gaps. Any thread.
void dequantize_sums(const std::int32_t* sums, const float* scales, const float* column_scales,
                     const std::int32_t* offsets, std::int64_t rows, std::int64_t columns,
                     float* to);

/// Quantizes rows of `width` values to int8 with one scale per row: scales[r] = max_k |from[r][k]|
/// / 127 and to[r][k] = from[r][k] / scales[r]. Both divisions are rounded to float; the second is
/// then rounded to an integer, half to even, from −127 to 127. A row without a magnitude of
/// kMinScaled or more becomes zeros with scale 0. A row with an infinity or NaN has an infinite or
/// NaN scale, so nothing scaled by it is finite. `from` and `to` have scales.size() * width
/// elements. Any thread.
void to_scaled_int8(std::span<const float> from, std::size_t width, std::span<std::int8_t> to,
                    std::span<float> scales);

/// Computes to[r][k] = from[r][k] · scales[r], rounded to float; sizes as above. A finite row
/// becomes infinite only if it had a magnitude of 2^128 · (1 − 2^-23) or more. Any thread.
void from_scaled_int8(std::span<const std::int8_t> from, std::span<const float> scales,
                      std::size_t width, std::span<float> to);

}  // namespace elmo

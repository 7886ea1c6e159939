// Headers of NumPy files.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "io/dtype.h"

namespace elmo {

/// Returns NumPy's name of the elements: "<f4", "<f2" or "|i1". std::logic_error for bfloat16.
std::string_view npy_element(Dtype dtype);
inline constexpr std::string_view kNpyUint64 = "<u8";

/// Returns the header of a row-major array of that element and shape; its size is a multiple of 64.
/// Format: NumPy Enhancement Proposal 1, version 1.0.
std::string npy_header(std::string_view element, std::span<const std::uint64_t> shape);

}  // namespace elmo

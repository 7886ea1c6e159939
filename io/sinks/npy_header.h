// How files of NumPy arrays begin.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "io/dtype.h"

namespace elmo {

/// "<f4", "<f2" or "|i1": what NumPy calls the elements. std::logic_error for bfloat16.
std::string_view npy_element(Dtype dtype);
inline constexpr std::string_view kNpyUint64 = "<u8";

/// The header of an array of that element and shape, row-major; its size is a multiple of 64.
/// Format: NumPy Enhancement Proposal 1, version 1.0.
std::string npy_header(std::string_view element, std::span<const std::uint64_t> shape);

}  // namespace elmo

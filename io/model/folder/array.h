// Arrays in the files of a model.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "io/dtype.h"
#include "io/h5/writer.h"

namespace elmo {

/// InputError naming file, dataset, index and value if a number is not finite. `values` may be a
/// part of the dataset that begins at its number `first`.
void require_finite(const std::string& file, const std::string& path,
                    std::span<const std::uint64_t> shape, std::span<const float> values,
                    std::uint64_t first = 0);

/// Writes a contiguous dataset of that shape, row-major; float16 is rounded to nearest even.
/// InputError naming the dataset for a number that float16 would make infinite; SystemError as
/// Writer.
void write_array(h5::Writer& file, const std::string& path, std::span<const std::uint64_t> shape,
                 std::span<const float> values, Dtype dtype);

}  // namespace elmo

// Arrays of a model's files.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "io/dtype.h"
#include "io/h5/writer.h"

namespace elmo {

/// InputError naming file, dataset, index and value where a number is not finite. `values` may be a
/// part of the dataset, from its `first` number on.
void require_finite(const std::string& file, const std::string& path,
                    std::span<const std::uint64_t> shape, std::span<const float> values,
                    std::uint64_t first = 0);

/// Writes a contiguous dataset of that shape, row-major, rounded to nearest even where it is
/// float16. InputError, naming the dataset, for a number that float16 would make infinite;
/// SystemError as Writer.
void write_array(h5::Writer& file, const std::string& path, std::span<const std::uint64_t> shape,
                 std::span<const float> values, Dtype dtype);

}  // namespace elmo

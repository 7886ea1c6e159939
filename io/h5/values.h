// All values of a dataset, read in bounded memory.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "io/h5/dataset.h"

namespace elmo::h5 {

/// Calls `use` with the bytes of a dataset of numbers, in blocks of about 1 MiB or of whole chunks,
/// in the stored type, little-endian. Errors as Dataset::read_rows.
void for_each_block(const Dataset& dataset,
                    const std::function<void(std::span<const std::byte>)>& use);

/// Calls `use` with each string of a dataset. Errors as Dataset::read_strings.
void for_each_string(const Dataset& dataset, const std::function<void(const std::string&)>& use);

}  // namespace elmo::h5

// What is before a place of the input, in short.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/text/source/input_part.h"

namespace elmo {

/// XXH3-128 of the 4 MiB of stored bytes before byte `offset` of stretch number `file`, of fewer
/// where there are fewer; sizes of all stretches are known. Errors: as open_stretch and reading.
std::string hash_of_bytes_before(const std::vector<InputStretch>& stretches, std::size_t file,
                                 std::uint64_t offset);

}  // namespace elmo

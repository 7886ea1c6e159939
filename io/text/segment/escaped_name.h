// Conversion of arbitrary bytes in names to text.
#pragma once

#include <string>
#include <string_view>

namespace elmo {

/// Returns the name as UTF-8 without NUL, for outputs that must be valid text: HDF5 strings, JSON,
/// XML. NUL and every byte outside a valid sequence become `\xHH`, with two lower-case hexadecimal
/// digits; everything else is unchanged. In Python, os.fsencode(name).decode("utf-8",
/// "backslashreplace") gives the same for a file name.
std::string escaped_name(std::string_view name);

}  // namespace elmo

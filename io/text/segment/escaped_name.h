// Names that any bytes may make up, as text.
#pragma once

#include <string>
#include <string_view>

namespace elmo {

/// The name as UTF-8 without NUL, for outputs that have to be valid text: HDF5 strings, JSON, XML.
/// A byte that is no part of a valid sequence becomes `\xHH`, two lower-case hexadecimal digits, as
/// does NUL; everything else stays as it is. Python gets the same of a file's name by
/// os.fsencode(name).decode("utf-8", "backslashreplace").
std::string escaped_name(std::string_view name);

}  // namespace elmo

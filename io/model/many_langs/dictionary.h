// char.dic and word.dic of ELMoForManyLangs: UTF-8, one entry "KEY TAB ROW" per line. Rows are
// numbered from 0, each occurs once, and lines may have any order. White space around a line is
// ignored, so a key of white space is lost: it is read as U+3000, the only white
// space that ELMoForManyLangs keeps in training text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace elmo {

/// Maximum size of a dictionary.
inline constexpr std::size_t kMaxDictionaryBytes = std::size_t{256} << 20;

/// Returns the keys of a dictionary in row order. InputError, beginning with `name` and giving the
/// line, for an invalid entry, a key or row that occurs twice, and a row past the last.
std::vector<std::string> parse_dictionary(std::string_view text, const std::string& name);

}  // namespace elmo

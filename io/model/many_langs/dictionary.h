// char.dic and word.dic of ELMoForManyLangs: UTF-8, one entry a line, "KEY TAB ROW". Rows count
// from 0, each is there once, and the order of the lines does not matter. White space around a line
// is no part of it, so that the key that is white space cannot be told: it is U+3000, the one that
// their training leaves in a text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace elmo {

/// Dictionaries are no larger than this.
inline constexpr std::size_t kMaxDictionaryBytes = std::size_t{256} << 20;

/// The keys of a dictionary in the order of their rows. InputError, beginning with `name` and
/// telling the line, for a line that is no such entry, a key or a row that is there twice, and a
/// row past the last.
std::vector<std::string> parse_dictionary(std::string_view text, const std::string& name);

}  // namespace elmo

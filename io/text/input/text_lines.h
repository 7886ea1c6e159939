// Small files of lines, and lists of words.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace elmo {

/// Calls `use` with each line of a UTF-8 file ("-": standard input) that is not blank, without
/// blanks at both ends, invalid UTF-8 as U+FFFD, and its number. Decompresses a file that begins
/// like gzip, zstd, xz or bzip2. Adds the file and the line to an InputError of `use`. InputError
/// naming the file if it cannot be opened, and naming the line if it is too long.
void for_each_line(const std::string& path,
                   const std::function<void(std::string_view line, std::uint64_t number)>& use);

/// Calls `use` with each word of `words`: a file with one per line, as above, or words with commas
/// between them. InputError as for_each_line, and for a file without words; RequestError for a list
/// with an empty word.
void for_each_word(const std::string& words, const std::function<void(std::string_view word)>& use);

}  // namespace elmo

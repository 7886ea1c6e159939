// Small files of lines, and lists of words.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "io/text/bytes/byte_stream.h"
#include "io/text/segment/utf8.h"

namespace elmo {

/// The lines of a UTF-8 file that are not blank, without blanks at both ends, invalid UTF-8 as
/// U+FFFD. Decompresses a file that begins like gzip, zstd, xz or bzip2. One thread.
class FileLines {
 public:
  /// Opens the file; "-" is standard input. `state`, if not null, must outlive this object. Errors:
  /// as open_file.
  explicit FileLines(const std::string& path, ReadState* state = nullptr);

  /// Reads the next line; returns false at the end. InputError for a line that is too long.
  bool next();

  std::string_view line() const { return repaired_.text(); }  ///< valid until next()
  std::uint64_t number() const { return lines_.number(); }    ///< 1-based, blank lines included

 private:
  std::string path_;
  ByteWindow window_;
  RecordLines lines_{window_};
  RepairedText repaired_;
};

/// "standard input: line 3", to name errors.
std::string place_of_line(const std::string& path, std::uint64_t number);

/// Calls `use` with each line of FileLines and its number. Adds the file and the line to an
/// InputError of `use`. Other errors: as FileLines.
void for_each_line(const std::string& path,
                   const std::function<void(std::string_view line, std::uint64_t number)>& use);

/// Calls `use` with each word of `words`: a file with one per line, as above, or words with commas
/// between them. InputError as for_each_line, and for a file without words; RequestError for a list
/// with an empty word.
void for_each_word(const std::string& words, const std::function<void(std::string_view word)>& use);

}  // namespace elmo

#include "io/text/input/text_lines.h"

#include "core/error.h"
#include "core/text.h"
#include "io/files/descriptor.h"
#include "io/files/paths.h"
#include "io/text/bytes/encoding.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/segment/characters.h"

namespace elmo {

FileLines::FileLines(const std::string& path, ReadState* state)
    : path_(path), window_(open_file(path, state)) {}

bool FileLines::next() {
  if (number() == 0) pass_over_byte_order_mark(window_, shown_name(path_));
  while (lines_.next()) {
    if (lines_.too_long()) {
      throw InputError(place_of_line(path_, number()) + ": found a line that is too long");
    }
    const std::string_view line = without_outer_blanks(lines_.line());
    if (line.empty()) continue;
    repaired_.assign(line);
    return true;
  }
  return false;
}

std::string place_of_line(const std::string& path, std::uint64_t number) {
  return shown_name(path) + ": line " + std::to_string(number);
}

void for_each_line(const std::string& path,
                   const std::function<void(std::string_view line, std::uint64_t number)>& use) {
  FileLines lines(path);
  while (lines.next()) {
    name_errors(place_of_line(path, lines.number()), [&] { use(lines.line(), lines.number()); });
  }
}

void for_each_word(const std::string& words,
                   const std::function<void(std::string_view word)>& use) {
  if (is_there(words) && !is_folder(words)) {
    bool found = false;
    for_each_line(words, [&](std::string_view line, std::uint64_t) {
      use(line);
      found = true;
    });
    if (!found) throw InputError(words + ": found no word; expected a word a line");
    return;
  }
  for (const std::string_view part : split(words, ',')) {
    const std::string_view word = without_outer_blanks(part);
    if (word.empty()) {
      throw RequestError(Setting{"words"} + " " + words +
                         ": found an empty word; expected words with commas between them, or a "
                         "file with a word a line");
    }
    use(word);
  }
}

}  // namespace elmo

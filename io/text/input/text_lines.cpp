#include "io/text/input/text_lines.h"

#include "core/error.h"
#include "core/text.h"
#include "io/files/paths.h"
#include "io/text/bytes/byte_order_mark.h"
#include "io/text/bytes/byte_stream.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/segment/characters.h"
#include "io/text/segment/utf8.h"

namespace elmo {

void for_each_line(const std::string& path,
                   const std::function<void(std::string_view line, std::uint64_t number)>& use) {
  const std::string name = path == kStandardInput ? "standard input" : path;
  ByteWindow window(open_file(path));
  pass_over_byte_order_mark(window, name);
  RecordLines lines(window);
  RepairedText repaired;
  while (lines.next()) {
    const std::string_view line = without_outer_blanks(lines.line());
    try {
      if (lines.too_long()) throw InputError("found a line that is too long");
      if (line.empty()) continue;
      repaired.assign(line);
      use(repaired.text(), lines.number());
    } catch (const InputError& error) {
      throw InputError(name + ": line " + std::to_string(lines.number()) + ": " + error.message());
    }
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
      throw RequestError(Setting::words + " " + words +
                         ": found an empty word; expected words with commas between them, or a "
                         "file with a word a line");
    }
    use(word);
  }
}

}  // namespace elmo

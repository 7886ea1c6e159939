#include "cli/run/input_fingerprint.h"

#include <cstdint>

#include "cli/numbers/human.h"
#include "io/files/checksum.h"
#include "io/text/segment/escaped_name.h"
#include "io/text/source/input_files.h"

namespace elmo {

std::string input_format_text(const InputOptions& input) {
  std::string text(kInputFormats.word(input.format));
  if (is_segmented(input.format) && input.lines) text += ", lines";
  if (input.format == InputFormat::jsonl) {
    text += ", text field " + input.text_field + ", id field " + input.id_field;
    if (input.skip_bad_records) text += ", bad records left out";
  }
  return text;
}

std::string input_files_text(const InputOptions& input) {
  const FileList files = list_input_files(input.files, nullptr, input.written);
  Checksum list;
  std::uint64_t bytes = 0;
  for (const InputFile& file : files) {
    const std::uint64_t size = file.size.value_or(0);  // not known for pipes
    bytes += size;
    list.add(file.path + '\0' + std::to_string(size) + '\0');
  }
  const std::string text =
      files.size() == 1 ? escaped_name(files.path(0)) : human_count(files.size(), "file");
  return text + ", " + human_count(bytes, "byte") + ", list " + list.hex();
}

}  // namespace elmo

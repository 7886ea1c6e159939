// What the text of a run depends on.
#pragma once

#include <string>

#include "io/text/source/text_source.h"

namespace elmo {

/// How the files are read: "text", "jsonl, lines, text field body, id field id".
std::string input_format_text(const InputOptions& input);

/// Names and sizes of all files, as a checksum behind what people recognize; what the files hold is
/// not read. Errors: as list_input_files.
std::string input_files_text(const InputOptions& input);

}  // namespace elmo

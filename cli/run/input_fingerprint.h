// The input of a run, as text for its fingerprint.
#pragma once

#include <string>

#include "io/text/source/text_source.h"

namespace elmo {

/// How the files are read: "text", "jsonl, lines, text field body, id field id".
std::string input_format_text(const InputOptions& input);

/// The name of a single file or the number of files, their bytes, and a checksum of all names and
/// sizes. The contents of files are not read. Errors: as list_input_files.
std::string input_files_text(const InputOptions& input);

}  // namespace elmo

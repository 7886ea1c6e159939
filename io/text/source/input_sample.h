// Distinguishes inputs with equal file names and sizes without reading them completely.
#pragma once

#include <string>

#include "io/text/source/input_files.h"

namespace elmo {

/// Returns a hash of the files' stored content: of all bytes up to 4 MiB; of larger inputs, the
/// first 4 KiB of each of 1,024 equal stretches. Files of unknown size count as empty. SystemError
/// if a file cannot be read.
std::string input_sample(const FileList& files);

}  // namespace elmo

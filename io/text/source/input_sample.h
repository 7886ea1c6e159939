// Telling inputs with files of the same names and sizes apart without reading all of them.
#pragma once

#include <string>

#include "io/text/source/input_files.h"

namespace elmo {

/// A hash of what the files hold, as stored: all bytes up to 4 MiB; of more, the first 4 KiB of
/// each 1024th. Files of unknown size count as empty. SystemError where a file cannot be read.
std::string input_sample(const FileList& files);

}  // namespace elmo

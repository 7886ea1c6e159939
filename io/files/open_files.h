// The limit on open files of a process.
#pragma once

namespace elmo {

/// Raises the process's limit on open files to the maximum that it may set itself. Best effort:
/// never fails.
void raise_open_file_limit();

}  // namespace elmo

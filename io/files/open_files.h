// How many files a process may have open.
#pragma once

namespace elmo {

/// Raises the process's limit on open files to the highest that it may set itself. Does what can be
/// done: never fails.
void raise_open_file_limit();

}  // namespace elmo

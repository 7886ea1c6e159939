// Standard input, output and error, which may be closed or non-blocking when a process starts.
#pragma once

namespace elmo {

/// Opens each of descriptors 0 to 2 that is closed, so that no file opened later gets such a number
/// and receives messages. Reading from or writing to a descriptor that was closed still fails. Call
/// this before any file is opened.
void occupy_standard_streams();

/// Makes std::cerr wait if standard error is non-blocking and full, so that nothing is lost.
void write_all_errors();

}  // namespace elmo

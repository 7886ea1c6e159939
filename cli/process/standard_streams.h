// Standard input, output and error, which may be closed or non-blocking when a process starts.
#pragma once

namespace elmo {

/// Opens those of descriptors 0 to 2 that are closed. Otherwise a file that is opened later could
/// get such a number and receive messages. Reading from and writing to a descriptor that was closed
/// still fail. Call this before any file is opened.
void occupy_standard_streams();

/// Makes std::cerr wait if standard error is non-blocking and full, so that nothing is lost.
void write_all_errors();

}  // namespace elmo

// Standard input, output and error, as a process may find them when it starts.
#pragma once

namespace elmo {

/// Sees to it that descriptors 0 to 2 are open, so that no file that is opened later becomes one of
/// them and gets messages written into it. Reading from one that was closed fails as before, and so
/// does writing to it. To be called before any file is opened.
void occupy_standard_streams();

/// From now on std::cerr waits where standard error is non-blocking and full, and loses nothing.
void write_all_errors();

}  // namespace elmo

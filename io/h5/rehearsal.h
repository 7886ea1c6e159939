// Trying out a file before trusting the library with it.
#pragma once

#include <functional>
#include <string>

namespace elmo::h5 {

/// Runs `reading` in a child process, which has its own memory and dies alone: HDF5 1.10 crashes or
/// loops on some damaged files, or writes past its buffers, before it knows that they are damaged.
/// Returns where `reading` returned there; then the same may be done here. What it threw as
/// InputError or SystemError is thrown here. InputError, beginning with `name`, where the child
/// crashed or took more than a minute of computing. No other thread may be in io/h5.
void rehearse(const std::string& name, const std::function<void()>& reading);

}  // namespace elmo::h5

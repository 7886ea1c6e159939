// The errors that people meet. Each message names the thing, what was found, what was expected and
// what to do. core and io throw them; cli catches them once, prints them and picks the exit code.
#pragma once

#include <stdexcept>

namespace elmo {

/// Data that is not what it has to be: text, a record, a model, a shard. Exit code 3.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A combination of options that cannot be. Exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The system refused: a full disk, a missing permission, a failed read. Exit code 1.
struct SystemError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A computation left the numbers: a loss that is not finite. Exit code 1.
struct NumericError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The reader of our standard output has gone; the command ends quietly.
struct ClosedPipe : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace elmo

// The errors that users see. Each message names the thing, what was found and what was expected, in
// this library's terms. The caller catches them in one place and rephrases them in its own terms.
#pragma once

#include <stdexcept>

#include "core/message.h"

namespace elmo {

/// Base of all errors: a message, which may end with a remedy.
class Error : public std::runtime_error {
 public:
  explicit Error(const Message& message, Remedy remedy = {})
      : std::runtime_error(message.text()), message_(message + remedy) {}

  const Message& message() const { return message_; }

 private:
  Message message_;
};

/// Invalid data: text, a record, a model, a shard.
struct InputError : Error {
  using Error::Error;
};

/// An impossible request: settings that contradict each other or the data, or an output that
/// already exists.
struct RequestError : Error {
  using Error::Error;
};

/// A failure of the system: a full disk, a missing permission, a failed read.
struct SystemError : Error {
  using Error::Error;
};

/// A computation gave a result that is not finite, such as a loss.
struct NumericError : Error {
  using Error::Error;
};

/// The reader of the output has closed it, so no message is printed.
struct ClosedPipe : Error {
  using Error::Error;
};

}  // namespace elmo

// The errors that users see. Each message names the thing, what was found and what was expected, in
// this library's terms. The caller catches them in one place and rephrases them in its own terms.
#pragma once

#include <stdexcept>
#include <string>

namespace elmo {

/// A way to avoid an error. Each caller offers it under its own name: an option of a command, a
/// parameter of a function.
enum class Remedy {
  none,
  give_vocabulary,     ///< a word-level model needs its vocabulary
  compute_in_float32,  ///< the chosen precision is not available
  train_slower,        ///< a lower learning rate, or shorter gradients
  name_model_files,    ///< say which file holds the options and which the weights
  repair_text,         ///< read invalid characters as U+FFFD
  skip_bad_records,    ///< leave out records that cannot be read
  skip_unanswerable,   ///< leave out questions without an answer
  forget_sentences,    ///< do not keep the sentences' text
  replace_file,        ///< replace the existing output
  write_beside,        ///< write into a folder that holds other files
  resume_or_replace,   ///< continue the existing run, or replace it
  begin_anew           ///< replace a run that cannot be continued
};

/// Base of all errors: a message and an optional remedy.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, Remedy remedy = Remedy::none)
      : std::runtime_error(message), remedy_(remedy) {}

  Remedy remedy() const { return remedy_; }

 private:
  Remedy remedy_;
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

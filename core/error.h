// The errors that people meet. Each message names the thing, what was found and what was expected,
// in terms of this library. The caller catches them once and says them in terms of its own.
#pragma once

#include <stdexcept>
#include <string>

namespace elmo {

/// What would help against an error. Callers offer it under another name each: an option of a
/// command, a parameter of a function.
enum class Remedy {
  none,
  give_vocabulary,     ///< a word-level model needs the list of its words
  compute_in_float32,  ///< the chosen precision cannot be had
  train_slower,        ///< a lower learning rate, or shorter gradients
  name_model_files,    ///< say which file holds the options and which the weights
  repair_text,         ///< read invalid characters as U+FFFD
  skip_bad_records,    ///< leave out records that cannot be read
  skip_unanswerable,   ///< leave out questions without an answer
  forget_sentences,    ///< do not keep the sentences' text
  replace_file,        ///< replace what is there
  write_beside,        ///< write into a folder that holds other files too
  resume_or_replace,   ///< continue the run that is there, or replace it
  begin_anew           ///< replace a run that cannot be continued
};

/// What all errors share.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, Remedy remedy = Remedy::none)
      : std::runtime_error(message), remedy_(remedy) {}

  Remedy remedy() const { return remedy_; }

 private:
  Remedy remedy_;
};

/// Data that is not what it has to be: text, a record, a model, a shard.
struct InputError : Error {
  using Error::Error;
};

/// What was asked for cannot be: settings that contradict each other or the data, or an output that
/// is there already.
struct RequestError : Error {
  using Error::Error;
};

/// The system refused: a full disk, a missing permission, a failed read.
struct SystemError : Error {
  using Error::Error;
};

/// A computation left the numbers: a loss that is not finite.
struct NumericError : Error {
  using Error::Error;
};

/// The reader of the output has gone. Nobody is left to read a message.
struct ClosedPipe : Error {
  using Error::Error;
};

}  // namespace elmo

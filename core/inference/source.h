// Where sentences come from. io implements it; the pipeline reads it from one thread.
#pragma once

#include <stdexcept>

#include "core/inference/sentence.h"

namespace elmo {

/// Reading was asked to stop while it waited for more input: the input has not ended.
struct ReadingStopped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class SentenceSource {
 public:
  virtual ~SentenceSource() = default;

  /// Reads the next sentence of the run into `sentence` (which it clears first) and returns true,
  /// or returns false at the end of the input. Every sentence of the run comes, also those of which
  /// no token is kept. Documents come in the order of their numbers; those
  /// without any sentence, such as empty files, are passed over. Memory is bounded, whatever the
  /// input holds. Throws InputError (bad data), SystemError (failed read) or ReadingStopped, after
  /// which nothing more is to be read.
  virtual bool next(Sentence& sentence) = 0;

  /// Whether next() would have to wait for input that has not come yet. What next() reads does not
  /// depend on whether or when this is asked. Never waits itself; for the thread that reads.
  virtual bool next_would_wait() { return false; }

  /// From now on next() throws ReadingStopped where it would have to wait, also where it waits
  /// already: nobody wants more. Any thread.
  virtual void stop_waiting() {}
};

}  // namespace elmo

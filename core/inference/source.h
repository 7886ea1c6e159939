// Interface for reading sentences. io implements it; the pipeline reads from one thread.
#pragma once

#include <stdexcept>

#include "core/inference/sentence.h"

namespace elmo {

/// Thrown if reading is stopped while it waits for more input: the input has not ended.
struct ReadingStopped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class SentenceSource {
 public:
  virtual ~SentenceSource() = default;

  /// Clears `sentence`, reads the next sentence of the run into it and returns true, or returns
  /// false at the end of the input. Returns every sentence of the run, including those without kept
  /// tokens. Documents are in the order of their numbers; those without sentences, such as empty
  /// files, are skipped. Memory is bounded for any input. Throws InputError (bad data), SystemError
  /// (failed read) or ReadingStopped; do not read again after an exception.
  virtual bool next(Sentence& sentence) = 0;

  /// Returns whether next() would have to wait for input. Never waits itself, and does not affect
  /// what next() reads. For the reading thread.
  virtual bool next_would_wait() { return false; }

  /// From now on, next() throws ReadingStopped instead of waiting, even if it is already waiting.
  /// Any thread.
  virtual void stop_waiting() {}
};

}  // namespace elmo

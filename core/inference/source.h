// Where sentences come from. io implements it; the pipeline reads it from one thread.
#pragma once

#include "core/inference/sentence.h"

namespace elmo {

class SentenceSource {
 public:
  virtual ~SentenceSource() = default;

  /// Reads the next sentence of the run into `sentence` (which it clears first) and returns true,
  /// or returns false at the end of the input. Every document yields at least one sentence. Memory
  /// is bounded, whatever the input holds. Throws InputError (bad data) or SystemError (failed
  /// read).
  virtual bool next(Sentence& sentence) = 0;
};

}  // namespace elmo

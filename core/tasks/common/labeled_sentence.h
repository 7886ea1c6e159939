// Sentences with a label a token, texts with one label, and where they come from.
#pragma once

#include <string>
#include <vector>

#include "core/inference/sentence.h"
#include "core/inference/source.h"

namespace elmo {

/// A sentence whose tokens are labeled; both are empty where a file keeps a place for no words. Or
/// a text that is labeled as a whole: a sentence with one label, however many tokens it has.
struct LabeledSentence {
  Sentence sentence;
  std::vector<std::string> labels;  ///< not empty, valid UTF-8
};

/// Labeled sentences from front to back. As a SentenceSource it gives the same sentences without
/// their labels, so that what is computed for sentence k belongs to labels k. Both kinds of next()
/// resume from the same place. Errors are those of SentenceSource; each names the file and the
/// line. One thread.
class LabeledSource : public SentenceSource {
 public:
  using SentenceSource::next;

  /// Replaces `labeled` by the next sentence; false at the end.
  virtual bool next(LabeledSentence& labeled) = 0;

  /// The file, as errors name it.
  virtual const std::string& name() const = 0;
};

}  // namespace elmo

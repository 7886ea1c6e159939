// Sentences with one label per token, texts with one label, and their source.
#pragma once

#include <string>
#include <vector>

#include "core/inference/sentence.h"
#include "core/inference/source.h"

namespace elmo {

/// A sentence with labeled tokens, or a text that is labeled as a whole: a sentence with one label,
/// however many tokens it has. Both members are empty for an entry of a file that has no words.
struct LabeledSentence {
  Sentence sentence;
  std::vector<std::string> labels;  ///< not empty, valid UTF-8
};

/// Reads labeled sentences in order. Used as a SentenceSource, it gives the same sentences without
/// their labels, so that results for sentence k belong to labels k. Both kinds of next() share one
/// position. Errors are those of SentenceSource; each names the file and the line. One thread.
class LabeledSource : public SentenceSource {
 public:
  using SentenceSource::next;

  /// Replaces `labeled` by the next sentence. Returns false at the end.
  virtual bool next(LabeledSentence& labeled) = 0;

  /// The name of the file in error messages.
  virtual const std::string& name() const = 0;
};

}  // namespace elmo

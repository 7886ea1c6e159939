// Sentences as CoNLL-U (universaldependencies.org/format.html), for taggers and parsers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/inference/sentence.h"

namespace elmo {

/// Formats sentences in order. One thread at a time.
class ConlluText {
 public:
  /// Returns the sentence with the comments newdoc, newpar, sent_id and text. Each token has ID and
  /// FORM, and SpaceAfter=No if the next token follows without white space; the words of a
  /// contraction follow the line of their range. In `text`, white space is one blank. Returns an
  /// empty string for a sentence without tokens, which CoNLL-U does not allow.
  std::string text_of(const Sentence& sentence);

 private:
  std::shared_ptr<const Document> document_;
  bool paragraph_begins_ = false;
  std::uint64_t sentences_ = 0;
};

}  // namespace elmo

#include "core/inference/sentence_cutter.h"

#include <algorithm>
#include <utility>

namespace elmo {

bool SentenceCutter::next(Sentence& sentence) {
  if (position_ == long_.size()) {
    if (!source_.next(sentence)) return false;
    if (sentence.size() <= limit_) return true;
    ++cut_sentences_;
    std::swap(long_, sentence);
    position_ = 0;
  }
  sentence.clear();
  sentence.document = long_.document;
  sentence.line = position_ == 0 ? long_.line : long_.line_of(position_);
  const std::size_t end = std::min(position_ + limit_, long_.size());
  for (; position_ < end; ++position_) {
    sentence.add(long_.token(position_), long_.spans()[position_]);
  }
  if (position_ == long_.size()) {
    long_.clear();
    position_ = 0;
  }
  return true;
}

bool SentenceCutter::next_would_wait() {
  return position_ == long_.size() && source_.next_would_wait();
}

}  // namespace elmo

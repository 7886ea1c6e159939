#include "io/labelled/common/labelled_file.h"

#include <utility>

#include "core/error.h"

namespace elmo {

LabelledFile::LabelledFile(const LabelledOpening& opening, std::unique_ptr<ByteSource> bytes,
                           const MakeReader& make_reader)
    : opening_(opening),
      file_(opening.file, opening.format, opening.stop, std::move(bytes), opening.through),
      reader_(make_reader(file_.window, file_.context)) {}

bool LabelledFile::next(Sentence& sentence) {
  const bool found = next(kept_);
  std::swap(sentence, kept_.sentence);
  return found;
}

bool LabelledFile::next(LabelledSentence& labelled) {
  labelled.sentence.clear();
  labelled.labels.clear();
  return ahead_.next(labelled, [this](LabelledSentence& to) { return read(to); });
}

bool LabelledFile::next_would_wait() {
  return ahead_.would_wait(file_.waiting, [this](LabelledSentence& to) { return read(to); });
}

/// Goes on with the sentence that WouldWait broke off.
bool LabelledFile::read(LabelledSentence& labelled) {
  const bool found = reader_->next(labelled);
  if (labelled.sentence.size() > 0) has_tokens_ = true;
  if (!found && !has_tokens_ && opening_.labelled) {
    throw InputError(name() + ": " +
                     (reader_->without_gold() > 0
                          ? "found only records without a gold label; expected some that have one"
                          : opening_.nothing));
  }
  if (!opening_.labelled) labelled.labels.clear();
  return found;
}

}  // namespace elmo

#include "io/labeled/common/labeled_file.h"

#include <utility>

#include "core/error.h"

namespace elmo {

LabeledFile::LabeledFile(const LabeledOpening& opening, std::unique_ptr<ByteSource> bytes,
                         const MakeReader& make_reader)
    : opening_(opening),
      file_(opening.file, opening.format, opening.stop, std::move(bytes), opening.through),
      reader_(make_reader(file_.window, file_.context)) {}

bool LabeledFile::next(Sentence& sentence) {
  const bool found = next(kept_);
  std::swap(sentence, kept_.sentence);
  return found;
}

bool LabeledFile::next(LabeledSentence& labeled) {
  labeled.sentence.clear();
  labeled.labels.clear();
  return ahead_.next(labeled, [this](LabeledSentence& to) { return read(to); });
}

bool LabeledFile::next_would_wait() {
  return ahead_.would_wait(file_.waiting, [this](LabeledSentence& to) { return read(to); });
}

/// Resumes the sentence that WouldWait interrupted.
bool LabeledFile::read(LabeledSentence& labeled) {
  const bool found = reader_->next(labeled);
  if (labeled.sentence.size() > 0) has_tokens_ = true;
  if (!found && !has_tokens_ && opening_.labeled) {
    throw InputError(name() + ": " +
                     (reader_->without_gold() > 0
                          ? "found only records without a gold label; expected some that have one"
                          : opening_.nothing));
  }
  if (!opening_.labeled) labeled.labels.clear();
  return found;
}

}  // namespace elmo

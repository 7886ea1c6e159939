#include "io/labeled/labeled_reader.h"

#include <cstdint>
#include <utility>

#include "core/error.h"
#include "io/text/segment/utf8.h"

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

void add_listed_tokens(const std::vector<std::string>& tokens, Sentence& sentence) {
  std::uint64_t begin = 0;
  RepairedText repaired;
  for (const std::string& token : tokens) {
    if (token.empty()) throw InputError("found an empty token; expected words");
    if (token.find('\0') != std::string::npos) {
      throw InputError("found a NUL in a token; expected text");
    }
    repaired.assign(token);
    sentence.add(repaired.text(), {begin, begin + token.size()});
    begin += token.size() + 1;
  }
}

void check_label(const std::string& label) {
  if (label.empty()) throw InputError("found an empty label; expected one that has a name");
  if (label.size() > kMaxLabelBytes) {
    throw InputError("found a label of " + std::to_string(label.size()) +
                     " bytes; expected no more than " + std::to_string(kMaxLabelBytes));
  }
}

}  // namespace elmo

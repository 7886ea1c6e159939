#include "core/inference/sentence.h"

#include <iterator>

namespace elmo {

std::uint64_t Sentence::line_of(std::size_t token) const {
  const auto after = std::ranges::upper_bound(line_begins_, token, {}, &LineBegin::token);
  return after == line_begins_.begin() ? line : std::prev(after)->line;
}

const Sentence::Forms* Sentence::forms_of(std::size_t token) const {
  if (forms_.empty()) return nullptr;
  const auto found = std::ranges::lower_bound(forms_, token, {}, &Forms::token);
  return found != forms_.end() && found->token == token ? &*found : nullptr;
}

void Sentence::add(const Sentence& other, std::size_t token) {
  add(other.token(token), other.spans_[token]);
  if (const Forms* const forms = other.forms_of(token)) set_forms(forms->word, forms->encoded);
}

void Sentence::set_forms(std::string word, std::string encoded) {
  forms_.push_back({size() - 1, std::move(word), std::move(encoded)});
}

std::size_t Sentence::extra_bytes() const {
  std::size_t bytes = sizeof(Contraction) * contractions_.size();
  for (const Forms& forms : forms_) {
    bytes += sizeof forms + forms.word.size() + forms.encoded.size();
  }
  return bytes;
}

void Sentence::add_contraction(std::string_view text, std::span<const std::string> words,
                               ByteSpan span) {
  const std::size_t begin = size();
  for (const std::string& word : words) add(word, span);
  contractions_.push_back({begin, size(), std::string(text)});
}

void Sentence::add_boundaries() {
  constexpr std::string_view kBegin = "<S>";
  const ByteSpan first = spans_.empty() ? ByteSpan{} : spans_.front();
  characters_.insert(0, kBegin);
  for (std::size_t& end : ends_) end += kBegin.size();
  ends_.insert(ends_.begin(), kBegin.size());
  spans_.insert(spans_.begin(), ByteSpan{first.begin, first.begin});
  add("</S>", {spans_.back().end, spans_.back().end});
  for (LineBegin& begin : line_begins_) ++begin.token;
  for (Forms& forms : forms_) ++forms.token;
  for (Contraction& contraction : contractions_) {
    ++contraction.begin;
    ++contraction.end;
  }
  if (kept_) {
    for (std::uint32_t& token : *kept_) ++token;
  }
}

std::string Sentence::text(std::size_t begin, std::size_t end) const {
  std::string words;
  for (std::size_t index = begin; index < end; ++index) {
    if (index > begin) words += ' ';
    words += token(index);
  }
  return words;
}

void Sentence::clear() {
  source.clear();
  characters_.clear();
  ends_.clear();
  spans_.clear();
  line_begins_.clear();
  contractions_.clear();
  forms_.clear();
  kept_.reset();
  begins_paragraph = false;
}

bool SentenceList::next(Sentence& sentence) {
  if (rest_.empty()) return false;
  sentence = rest_.front();
  rest_ = rest_.subspan(1);
  return true;
}

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
    sentence.add(long_, position_);
  }
  if (position_ == long_.size()) {
    long_.clear();
    position_ = 0;
  }
  return true;
}

}  // namespace elmo

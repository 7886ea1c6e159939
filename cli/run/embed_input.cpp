#include "cli/run/embed_input.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace elmo {
namespace {

std::unique_ptr<TextSource> open_text(InputOptions options, const std::atomic<bool>& stop) {
  options.stop = &stop;
  return open_source(options);
}

}  // namespace

EmbedInput::EmbedInput(const InputOptions& input, std::size_t max_sentence_tokens,
                       const std::atomic<bool>& stop, std::optional<TokenQuery> query)
    : is_part_(input.part.has_value()),
      text_(open_text(input, stop)),
      cutter_(*text_, max_sentence_tokens) {
  if (!query) return;
  matcher_.emplace(*std::move(query));
  selecting_.emplace(cutter_, [this](std::string_view token) { return matcher_->matches(token); });
}

void EmbedInput::begin_at(const ResumePosition& position) {
  text_->begin_at(position.text, position.text_hash);
  sentences_ = position.sentence;
  tokens_ = position.tokens;
  cut_before_ = position.cut_sentences;
  input_ = InputHash(position.input_hash);
  positions_.add(position);
}

std::optional<ResumePosition> EmbedInput::position_before(std::uint64_t next) {
  std::optional<ResumePosition> position = positions_.last_before(next);
  if (position) position->text_hash = text_->hash_before(position->text);
  return position;
}

std::optional<PartCounts> EmbedInput::part_counts() const {
  return is_part_ ? std::optional(text_->part_counts()) : std::nullopt;
}

bool EmbedInput::read(Read& to) {
  to.cut_before = cut_sentences();
  SentenceSource& source = selecting_ ? static_cast<SentenceSource&>(*selecting_) : cutter_;
  if (!source.next(to.sentence)) return false;
  to.position = text_->take_position();
  return true;
}

std::vector<std::string> EmbedInput::peek_words(std::size_t count) {
  std::vector<std::string> words;
  while (words.size() < count && (words.empty() || !cutter_.next_would_wait())) {
    Read& last = peeked_.emplace_back();
    if (!read(last)) {
      peeked_.pop_back();
      break;
    }
    for (std::size_t token = 0; token < last.sentence.size(); ++token) {
      words.emplace_back(last.sentence.token(token));
    }
  }
  return words;
}

bool EmbedInput::next(Sentence& sentence) {
  if (peeked_.empty()) {
    peeked_.emplace_back();
    std::swap(peeked_.back().sentence, sentence);  // whose memory is used again
    if (!read(peeked_.back())) {
      peeked_.clear();
      return false;
    }
  }
  std::swap(sentence, peeked_.front().sentence);
  if (const std::optional<TextPosition>& position = peeked_.front().position) {
    positions_.add({*position, "", sentences_, tokens_, peeked_.front().cut_before, input_.hex()});
  }
  peeked_.pop_front();
  input_.add(sentence, sentences_, false);
  ++sentences_;
  tokens_ += sentence.size();
  return true;
}

std::optional<double> EmbedInput::fraction(double tokens) const {
  const InputProgress read = text_->progress();
  const auto tokens_read = static_cast<double>(tokens_);
  if (!read.total_bytes || *read.total_bytes == 0 || tokens_read == 0) return std::nullopt;
  const double share_read =
      static_cast<double>(read.bytes_read) / static_cast<double>(*read.total_bytes);
  return std::min(1.0, share_read * tokens / tokens_read);
}

}  // namespace elmo

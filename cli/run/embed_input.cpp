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

bool EmbedInput::next(Sentence& sentence) {
  const std::uint64_t cut_before = cut_sentences();
  SentenceSource& source = selecting_ ? static_cast<SentenceSource&>(*selecting_) : cutter_;
  if (!source.next(sentence)) return false;
  if (const std::optional<TextPosition> position = text_->take_position()) {
    positions_.add({*position, "", sentences_, tokens_, cut_before, input_.hex()});
  }
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

#include "cli/embed_input.h"

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
    : text_(open_text(input, stop)), cutter_(*text_, max_sentence_tokens) {
  if (!query) return;
  matcher_.emplace(*std::move(query));
  selecting_.emplace(cutter_, [this](std::string_view token) { return matcher_->matches(token); });
}

bool EmbedInput::next(Sentence& sentence) {
  SentenceSource& source = selecting_ ? static_cast<SentenceSource&>(*selecting_) : cutter_;
  if (!source.next(sentence)) return false;
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

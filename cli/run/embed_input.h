// The input of `elmo embed` and of other commands that run the pipeline.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "core/inference/sentence.h"
#include "core/inference/token_selection.h"
#include "io/shard/resume.h"
#include "io/text/input/text_source.h"
#include "io/text/input/token_matcher.h"

namespace elmo {

/// The sentences of the input, with long ones cut. next() and next_would_wait() are for one thread.
/// stop_waiting(), tokens(), sentences(), fraction() and position_before() may be called from any
/// thread meanwhile, and everything else when reading has ended.
class EmbedInput final : public SentenceSource {
 public:
  /// Finds the files. Keeps the tokens that `query` matches, or all without one. next() throws
  /// ReadingStopped once `stop` is true and it would have to wait. `stop` must outlive this.
  /// RequestError as TokenMatcher.
  EmbedInput(const InputOptions& input, std::size_t max_sentence_tokens,
             const std::atomic<bool>& stop, std::optional<TokenQuery> query = std::nullopt);

  /// Continues from `position`. Call it before anything is read. InputError if the text before it
  /// has changed.
  void begin_at(const ResumePosition& position);

  bool next(Sentence& sentence) override;
  bool next_would_wait() override { return cutter_.next_would_wait(); }
  void stop_waiting() override { cutter_.stop_waiting(); }

  /// As in TextSource.
  std::string_view peek(std::size_t least, std::size_t most) { return text_->peek(least, most); }
  void set_tokenizer(const TokenizerSettings& settings) { text_->set_tokenizer(settings); }

  /// As in InputAccount.
  std::optional<ResumePosition> position_before(std::uint64_t next);
  std::optional<PartCounts> part_counts() const;

  std::uint64_t sentences() const { return sentences_; }
  std::uint64_t tokens() const { return tokens_; }

  /// The share of the input in its first `tokens` tokens, estimated from what has been read.
  /// Nothing if the size of the input is unknown.
  std::optional<double> fraction(double tokens) const;

  InputCounters counters() const { return text_->counters(); }
  std::uint64_t cut_sentences() const { return cut_before_ + cutter_.cut_sentences(); }

 private:
  bool is_part_;
  std::unique_ptr<TextSource> text_;
  SentenceCutter cutter_;
  std::optional<TokenMatcher> matcher_;
  std::optional<SelectingSource> selecting_;
  std::atomic<std::uint64_t> sentences_{0};
  std::atomic<std::uint64_t> tokens_{0};
  std::uint64_t cut_before_ = 0;  ///< long sentences before the position where reading began
  InputHash input_;               ///< of what was read
  ResumePositions positions_;  ///< found and not yet passed by position_before; without text_hash
};

}  // namespace elmo

// The input of `elmo embed`, and of what else runs the pipeline, as it is read.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/inference/selecting_source.h"
#include "core/inference/sentence_cutter.h"
#include "core/inference/source.h"
#include "io/text/text_source.h"
#include "io/text/token_matcher.h"

namespace elmo {

/// The sentences of the input, long ones cut. next() and next_would_wait() are for one thread;
/// tokens(), sentences() and fraction() may be called from any thread meanwhile, the rest when
/// reading has ended.
class EmbedInput final : public SentenceSource {
 public:
  /// Looks for the files. next() throws ReadingStopped once `stop` is true and it would have to
  /// wait; `stop` has to outlive this.
  /// The tokens of `query` are kept, where there is one, else all. RequestError as TokenMatcher.
  EmbedInput(const InputOptions& input, std::size_t max_sentence_tokens,
             const std::atomic<bool>& stop, std::optional<TokenQuery> query = std::nullopt);

  bool next(Sentence& sentence) override;
  bool next_would_wait() override { return cutter_.next_would_wait(); }

  std::uint64_t sentences() const { return sentences_; }
  std::uint64_t tokens() const { return tokens_; }

  /// The share of the input that its first `tokens` tokens are, judged by what has been read;
  /// nothing where the size of the input is not known.
  std::optional<double> fraction(double tokens) const;

  const InputCounters& counters() const { return text_->counters(); }
  std::uint64_t cut_sentences() const { return cutter_.cut_sentences(); }

 private:
  std::unique_ptr<TextSource> text_;
  SentenceCutter cutter_;
  std::optional<TokenMatcher> matcher_;
  std::optional<SelectingSource> selecting_;
  std::atomic<std::uint64_t> sentences_{0};
  std::atomic<std::uint64_t> tokens_{0};
};

}  // namespace elmo

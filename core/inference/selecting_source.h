// Selects the tokens of a text to keep.
#pragma once

#include <functional>
#include <string_view>
#include <utility>

#include "core/inference/source.h"

namespace elmo {

/// Returns whether to keep a token, regardless of its position.
using TokenChoice = std::function<bool(std::string_view token)>;

/// The sentences of a source, each keeping only the chosen tokens. One thread at a time.
class SelectingSource final : public SentenceSource {
 public:
  /// `source` must outlive it.
  SelectingSource(SentenceSource& source, TokenChoice chosen)
      : source_(source), chosen_(std::move(chosen)) {}

  bool next(Sentence& sentence) override;
  bool next_would_wait() override { return source_.next_would_wait(); }
  void stop_waiting() override { source_.stop_waiting(); }

 private:
  SentenceSource& source_;
  TokenChoice chosen_;
};

}  // namespace elmo

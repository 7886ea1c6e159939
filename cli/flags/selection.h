// The options of `elmo embed` that say what gets a row: chosen tokens, a sample of them, sentences,
// documents, words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/run/embed_request.h"

namespace elmo {

class Options;

/// Nothing given: each token.
struct SelectionFlags {
  std::string words;  ///< a file, or words with commas between them
  std::string expression;
  bool ignore_case = false;
  std::uint64_t sample = 0;  ///< tokens to draw; 0: all
  std::uint64_t seed = 1;    ///< of the sample
  bool boundaries = false;
  std::optional<PoolKind> pool;
  PoolUnit pool_by = PoolUnit::sentence;
  bool average_words = false;
  std::uint64_t min_count = 1;
};

/// Registers --words, --match, --ignore-case, --sample and --seed; `flags` has to outlive `app`'s
/// parsing.
void add_selection_flags(Options app, SelectionFlags& flags);

/// Registers --pool, --pool-by, --average-words and --min-count; likewise.
void add_pooling_flags(Options app, SelectionFlags& flags);

/// RequestError for those of them that mean nothing without, or exclude, other options of `app`.
void check_selection(const Options& app, const SelectionFlags& flags);

/// What gets a row of the tokens in order, without --pool and with it; what is drawn at random,
/// where
/// --sample is given. Errors: as read_word_list, RequestError for a list with an empty word. The
/// options have passed check_selection.
Tokens tokens(const SelectionFlags& flags);
Rows rows(const SelectionFlags& flags);
SampledTokens sampled_tokens(const SelectionFlags& flags, OwnState start);

}  // namespace elmo

// The options of `elmo embed` that select what gets a row: tokens, a sample of them, sentences,
// documents or words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/embed/request.h"

namespace elmo {

class Options;

/// By default, every token gets a row.
struct SelectionFlags {
  std::string words;  ///< a file, or words separated by commas
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

/// Registers --words, --match, --ignore-case, --sample and --seed. `flags` must outlive the parsing
/// of `app`.
void add_selection_flags(Options app, SelectionFlags& flags);

/// Registers --pool, --pool-by, --average-words and --min-count. `flags` must outlive the parsing
/// of `app`.
void add_pooling_flags(Options app, SelectionFlags& flags);

/// Throws RequestError for selection and pooling options that require or exclude other options of
/// `app`.
void check_selection(const Options& app, const SelectionFlags& flags);

/// tokens() returns the tokens that get a row, rows() the same or what --pool makes of them, and
/// sampled_tokens() the sample that --sample draws. The options must have passed check_selection.
/// Errors: as read_word_list; RequestError for a list with an empty word.
Tokens tokens(const SelectionFlags& flags);
Rows rows(const SelectionFlags& flags);
SampledTokens sampled_tokens(const SelectionFlags& flags, OwnState start);

}  // namespace elmo

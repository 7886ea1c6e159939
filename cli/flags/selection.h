// The options of `elmo embed` that say what gets a row: chosen tokens, a sample of them, sentences,
// documents, words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/inference/pooling.h"
#include "io/text/token_matcher.h"

namespace CLI {
class App;
}

namespace elmo {

/// Which tokens are kept. Nothing said: all.
struct SelectionFlags {
  std::string words;  ///< a file, or words with commas between them
  std::string expression;
  bool ignore_case = false;
  std::uint64_t sample = 0;  ///< so many of them; 0: all
  std::uint64_t seed = 1;    ///< of the sample

  std::optional<TokenQuery> query;  ///< what read_token_query() made of the first three

  bool any() const { return query.has_value() || sample > 0; }
};

/// What gets a row. Nothing said: each token.
struct PoolFlags {
  std::optional<PoolKind> kind;
  PoolUnit unit = PoolUnit::sentence;

  std::optional<PoolOptions> options() const {
    return kind ? std::optional(PoolOptions{*kind, unit}) : std::nullopt;
  }
};

/// A row for each word instead of one for each token.
struct WordAverageFlags {
  bool wanted = false;
  std::uint64_t min_count = 1;
};

/// Registers --words, --match, --ignore-case, --sample and --seed; `flags` has to outlive `app`'s
/// parsing.
void add_selection_flags(CLI::App* app, SelectionFlags& flags);

/// Registers --pool, --pool-by, --average-words and --min-count; likewise.
void add_pooling_flags(CLI::App* app, PoolFlags& pool, WordAverageFlags& averages);

struct EmbedFlags;

/// RequestError for what these options cannot mean, alone or with others.
void check_selection(const CLI::App& command, const EmbedFlags& flags);

/// Reads the list of words; nothing where neither words nor an expression were given. Errors: as
/// read_word_list, RequestError for a list with an empty word.
std::optional<TokenQuery> read_token_query(const SelectionFlags& flags);

/// What is kept, as a run's fingerprint tells it: "words 2, list <hash>, match b.*, ignoring case".
std::string selection_text(const SelectionFlags& flags);

/// "mean by document".
std::string pooling_text(const PoolOptions& pool);

}  // namespace elmo

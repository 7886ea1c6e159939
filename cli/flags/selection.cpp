#include "cli/flags/selection.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/flags/options.h"
#include "core/error.h"
#include "io/files/paths.h"

namespace elmo {
namespace {

// Maximum number of tokens in a sample, whose sentences are kept in memory.
constexpr std::uint64_t kMaxSampled = std::uint64_t{1} << 30;

constexpr std::uint64_t kAnyNumber = std::numeric_limits<std::uint64_t>::max();

std::vector<std::string> listed_words(const std::string& list) {
  std::vector<std::string> words;
  for (const std::string_view word : comma_list(list)) {
    if (word.empty()) {
      throw RequestError("--words " + list +
                         ": found an empty word; expected words with commas between them, or a "
                         "file with a word a line");
    }
    words.emplace_back(word);
  }
  return words;
}

std::optional<TokenQuery> query_of(const SelectionFlags& flags) {
  if (flags.words.empty() && flags.expression.empty()) return std::nullopt;
  TokenQuery query;
  if (!flags.words.empty()) {
    const bool names_file = is_there(flags.words) && !is_folder(flags.words);
    query.words = names_file ? read_word_list(flags.words) : listed_words(flags.words);
    std::ranges::sort(query.words);
    query.words.erase(std::unique(query.words.begin(), query.words.end()), query.words.end());
  }
  query.expression = flags.expression;
  query.ignore_case = flags.ignore_case;
  return query;
}

/// Options that exclude each other, and why.
struct Conflict {
  const char* option;
  const char* other;
  const char* reason;
};

constexpr const char* kNoWords = "`<S>` and `</S>` are no words of the text";
constexpr Conflict kConflicts[] = {
    {"--sample", "--resume",
     "a sample is drawn from the whole text before anything is computed, so there is nothing to go "
     "on with; start again with --overwrite"},
    {"--sample", "--pool", "tokens drawn at random stand for the corpus, not for their sentences"},
    {"--average-words", "--pool", "words are averaged over tokens"},
    {"--average-words", "--resume", "averages are in memory until all is read; start again"},
    {"--sample", "--parts",
     "a sample is drawn from the whole text, and a part reads its own; choose --words, or draw "
     "from "
     "each file alone"},
    {"--average-words", "--parts", "a mean over the whole text is none of means over parts"},
    {"--words", "--boundaries", kNoWords},
    {"--match", "--boundaries", kNoWords},
    {"--sample", "--boundaries", kNoWords},
    {"--pool", "--boundaries", kNoWords}};

}  // namespace

void add_selection_flags(Options app, SelectionFlags& flags) {
  const std::string group = "Selection";
  app->add_option("--words", flags.words,
                  "Keep only these tokens: words separated by commas, or a file with one word per "
                  "line")
      ->type_name("FILE|WORD,...")
      ->group(group);
  app->add_option("--match", flags.expression,
                  "Keep tokens that match this ICU regular expression as a whole, in addition to "
                  "--words")
      ->type_name("REGEX")
      ->group(group);
  app->add_flag("--ignore-case", flags.ignore_case, "Ignore case in --words and --match")
      ->group(group);
  add_whole(app, "--sample", flags.sample, "N", std::uint64_t{1}, kMaxSampled,
            "Keep a random sample of N tokens, of all or of those selected by --words and --match")
      ->group(group);
  add_whole(app, "--seed", flags.seed, "N", std::uint64_t{0}, kAnyNumber, "Random seed of --sample")
      ->group(group);
}

void add_pooling_flags(Options app, SelectionFlags& flags) {
  const std::string group = "Activations";
  add_choice(
      app, "--pool", flags.pool, kPoolKinds,
      "Pool the tokens of a sentence into one row: their mean, maximum, or first and last side by "
      "side")
      ->group(group);
  add_choice(app, "--pool-by", flags.pool_by, kPoolUnits, "Unit that --pool makes a row of")
      ->group(group);
  app->add_flag(
         "--average-words", flags.average_words,
         "Write each word's mean vector in a word2vec format: text (.txt, .vec) or binary (.bin)")
      ->group(group);
  add_whole(app, "--min-count", flags.min_count, "N", std::uint64_t{1}, kAnyNumber,
            "Minimum count of a word (--average-words)")
      ->group(group);
}

void check_selection(const Options& app, const SelectionFlags& flags) {
  const bool words = !flags.words.empty() || !flags.expression.empty();
  only_with(app, "--ignore-case", words, "--words or --match");
  only_with(app, "--seed", flags.sample > 0, "--sample N");
  only_with(app, "--pool-by", flags.pool.has_value(), "--pool");
  only_with(app, "--min-count", flags.average_words, "--average-words");
  for (const Conflict& conflict : kConflicts) {
    if (app.count(conflict.option) == 0 || app.count(conflict.other) == 0) continue;
    throw RequestError(std::string(conflict.option) + " with " + conflict.other + ": " +
                       conflict.reason);
  }
}

Tokens tokens(const SelectionFlags& flags) {
  if (std::optional<TokenQuery> query = query_of(flags)) return ChosenTokens{*std::move(query)};
  return EveryToken{flags.boundaries};
}

Rows rows(const SelectionFlags& flags) {
  if (flags.pool) return PooledTokens{{*flags.pool, flags.pool_by}, query_of(flags)};
  return std::visit([](auto&& kind) -> Rows { return kind; }, tokens(flags));
}

SampledTokens sampled_tokens(const SelectionFlags& flags, OwnState start) {
  return {flags.sample, flags.seed, query_of(flags), start};
}

}  // namespace elmo

#include "cli/flags/selection.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands/embed.h"
#include "cli/flags/options.h"
#include "core/error.h"
#include "io/files/checksum.h"

namespace elmo {
namespace {

// Tokens of a sample: their sentences are in memory.
constexpr std::uint64_t kMostSampled = std::uint64_t{1} << 30;

constexpr std::uint64_t kAnyNumber = std::numeric_limits<std::uint64_t>::max();

std::vector<std::string> listed_words(const std::string& list) {
  std::vector<std::string> words;
  std::string_view rest = list;
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view word = rest.substr(0, comma);
    if (word.empty()) {
      throw RequestError("--words " + list +
                         ": found an empty word; expected words with commas between them, or a "
                         "file with a word a line");
    }
    words.emplace_back(word);
    if (comma == std::string_view::npos) return words;
    rest.remove_prefix(comma + 1);
  }
}

/// RequestError where both were given.
void exclude(const CLI::App& command, const std::string& option, const std::string& other,
             const std::string& reason) {
  if (command.count(option) > 0 && command.count(other) > 0) {
    throw RequestError(option + " with " + other + ": " + reason);
  }
}

}  // namespace

void add_selection_flags(CLI::App* app, SelectionFlags& flags) {
  const std::string group = "Selection";
  app->add_option("--words", flags.words,
                  "Write the vectors of these tokens only: those that are one of the words, given "
                  "with commas between them or, where a file has that name, a word a line. "
                  "Sentences are read whole, so vectors are those of a run of all tokens")
      ->type_name("FILE|WORD,...")
      ->group(group);
  app->add_option("--match", flags.expression,
                  "Likewise those that this regular expression (ICU) matches from their first to "
                  "their last character, beside those of --words")
      ->type_name("REGEX")
      ->group(group);
  app->add_flag("--ignore-case", flags.ignore_case,
                "Take words that differ in case for the same (--words, --match)")
      ->group(group);
  add_whole(app, "--sample", flags.sample, "N", std::uint64_t{1}, kMostSampled,
            "Write the vectors of so many tokens, drawn at random, each as likely as any other: of "
            "all, or of those of --words and --match. Their sentences are kept in memory as text")
      ->group(group);
  add_whole(app, "--seed", flags.seed, "N", std::uint64_t{0}, kAnyNumber,
            "The same seed draws the same sample of the same text")
      ->group(group);
}

void add_pooling_flags(CLI::App* app, PoolFlags& pool, WordAverageFlags& averages) {
  const std::string group = "Activations";
  add_choice(
      app, "--pool", pool.kind, kPoolKinds,
      "One row a sentence instead of one a token: the mean of its tokens' vectors, the largest "
      "number of each column (`max`), or the vectors of the first and the last token side by side. "
      "Zeros for a sentence without tokens")
      ->group(group);
  add_choice(app, "--pool-by", pool.unit, kPoolUnits, "What gets a row with --pool")->group(group);
  app->add_flag(
         "--average-words", averages.wanted,
         "One vector for each word of the text, the mean over all its places, to the file -o "
         "in a format of word2vec, by its name: .txt and .vec are text, .bin is binary. All "
         "layers stand one after the other, or those of --layers")
      ->group(group);
  add_whole(app, "--min-count", averages.min_count, "N", std::uint64_t{1}, kAnyNumber,
            "Words that occur more rarely are left out (--average-words)")
      ->group(group);
}

void check_selection(const CLI::App& command, const EmbedFlags& flags) {
  const SelectionFlags& selection = flags.selection;
  const bool words = !selection.words.empty() || !selection.expression.empty();
  only_with(command, "--ignore-case", words, "--words or --match");
  only_with(command, "--seed", selection.sample > 0, "--sample N");
  only_with(command, "--pool-by", flags.pool.kind.has_value(), "--pool");
  only_with(command, "--min-count", flags.averages.wanted, "--average-words");
  if (selection.sample > 0 && flags.embed.initial_state == InitialState::carry) {
    throw RequestError(
        "--sample with --initial-state carry: a state that is carried needs every sentence, and "
        "only those of the sample are computed; use --words, or another initial state");
  }
  exclude(command, "--sample", "--resume",
          "a sample is drawn from the whole text before anything is computed, so there is nothing "
          "to go on with; begin anew with --overwrite");
  exclude(command, "--sample", "--pool",
          "tokens drawn at random stand for the corpus, not for their sentences");
  exclude(command, "--average-words", "--pool", "words are averaged over tokens");
  exclude(command, "--average-words", "--resume",
          "averages are in memory until all is read; begin anew");
  exclude(command, "--sample", "--parts",
          "a sample is drawn from the whole text, and a part reads its own; choose --words, or "
          "draw from each file alone");
  exclude(command, "--average-words", "--parts",
          "a mean over the whole text is none of means over parts");
  for (const char* option : {"--words", "--match", "--sample"}) {
    exclude(command, option, "--boundaries", "`<S>` and `</S>` are no words of the text");
  }
  exclude(command, "--pool", "--boundaries", "`<S>` and `</S>` are no words of the text");
  const bool allennlp = flags.layout == OutputLayout::allennlp;
  for (const char* option : {"--words", "--match", "--sample", "--pool", "--average-words"}) {
    only_with(command, option, !allennlp, "--layout shards or --format");
  }
  const bool word2vec =
      flags.format == StreamFormat::word2vec_text || flags.format == StreamFormat::word2vec_binary;
  if (word2vec && !flags.averages.wanted) {
    throw RequestError("--format: word2vec's formats hold a vector a word; give --average-words");
  }
  if (!flags.averages.wanted) return;
  if (flags.output.empty() && !flags.dry_run) {
    throw RequestError("--average-words needs a file to write; give it with -o FILE");
  }
  if (flags.format && !word2vec) {
    throw RequestError("--format with --average-words: expected word2vec-text or word2vec-binary");
  }
  const std::string extension = std::filesystem::path(flags.output).extension().string();
  if (!flags.format && !flags.dry_run && extension != ".txt" && extension != ".vec" &&
      extension != ".bin") {
    throw RequestError("-o " + flags.output +
                       ": the name does not tell the format; call it .txt, .vec or .bin, or give "
                       "--format word2vec-text or word2vec-binary");
  }
}

std::optional<TokenQuery> read_token_query(const SelectionFlags& flags) {
  if (flags.words.empty() && flags.expression.empty()) return std::nullopt;
  TokenQuery query;
  if (!flags.words.empty()) {
    const std::filesystem::file_status status = std::filesystem::status(flags.words);
    const bool is_file = exists(status) && !is_directory(status);
    query.words = is_file ? read_word_list(flags.words) : listed_words(flags.words);
    std::ranges::sort(query.words);
    query.words.erase(std::unique(query.words.begin(), query.words.end()), query.words.end());
  }
  query.expression = flags.expression;
  query.ignore_case = flags.ignore_case;
  return query;
}

std::string selection_text(const SelectionFlags& flags) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (flags.query && !flags.query->words.empty()) {
    Checksum list;
    for (const std::string& word : flags.query->words) list.add(word + '\0');
    add("words " + std::to_string(flags.query->words.size()) + ", list " + list.hex());
  }
  if (flags.query && !flags.query->expression.empty()) add("match " + flags.query->expression);
  if (flags.query && flags.query->ignore_case) add("ignoring case");
  if (flags.sample > 0) {
    add("sample " + std::to_string(flags.sample) + ", seed " + std::to_string(flags.seed));
  }
  return text;
}

std::string pooling_text(const PoolOptions& pool) {
  return std::string(kPoolKinds.word(pool.kind)) + " by " + std::string(kPoolUnits.word(pool.unit));
}

}  // namespace elmo

// `elmo neighbors`: the nearest occurrences of a word in context, and its nearest words without.
#include "cli/common/options.h"

#include <unistd.h>

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/common/option_groups.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "cli/common/rules.h"
#include "cli/neighbors/report.h"
#include "core/analysis/word_map.h"
#include "core/enum_table.h"
#include "core/text.h"
#include "io/engine/neighbors/map.h"
#include "io/engine/neighbors/request.h"
#include "io/engine/neighbors/search.h"
#include "io/files/atomic_file.h"
#include "io/files/paths.h"
#include "io/text/bytes/file_bytes.h"

namespace elmo {
namespace {

/// Returns whether the output is JSON.
constexpr auto kJsonWords = enum_table<bool>({{"jsonl", true}, {"table", false}});

constexpr std::size_t kMaxNeighbors = 100000;
constexpr int kMaxFiles = 1 << 20;

/// The corpus of the request may hold the query: a name with brackets that is not a file, or for a
/// map the last of several names, if it is not a file.
struct NeighborFlags : Flags<NeighborRequest> {
  std::optional<bool> jsonl;  ///< nothing: a table on a terminal
};

bool is_neither_file_nor_input(const std::string& name) {
  return name != kStandardInput && !is_there(name);
}

/// Separates the word of a map from the names of the corpus.
NeighborRequest map_request(NeighborRequest request) {
  if (request.query.empty() && request.corpus.size() > 1 &&
      is_neither_file_nor_input(request.corpus.back())) {
    request.query = request.corpus.back();
    request.corpus.pop_back();
  }
  return request;
}

/// Separates the query, or the word of a map, from the names of the corpus: --corpus takes all
/// names up to the next option, including a query after them.
NeighborRequest sorted_out(const NeighborRequest& request) {
  if (!request.map.file.empty()) return map_request(request);
  NeighborRequest found = request;
  found.corpus.clear();
  for (const std::string& name : request.corpus) {
    if (!has_brackets(name) || is_there(name)) {
      found.corpus.push_back(name);
    } else if (found.query.empty()) {
      found.query = name;
    } else {
      throw RequestError("found the queries '" + found.query + "' and '" + name +
                         "'; expected one query, or none to read them from standard input");
    }
  }
  // A query without brackets would be treated as a file.
  if (found.query.empty() && found.corpus.size() > 1) {
    const std::string& last = found.corpus.back();
    if (is_neither_file_nor_input(last)) {
      throw RequestError("'" + last +
                         "' is neither a file nor a query: found no brackets; expected " +
                         "a sentence with one word in [brackets]");
    }
  }
  return found;
}

/// Throws RequestError for options without effect on `request`, or that cannot be combined.
void check_flags(const GivenFlags& given, const NeighborRequest& request,
                 std::optional<bool> jsonl) {
  check_input_flags(given, request.input);
  const bool text = !names_run(request);
  const bool map = !request.map.file.empty();
  std::vector<FlagRule> rules;
  for (const char* flag :
       {"--input-format", "--lines", "--tokenizer", "--locale", "--contractions", "--strict",
        "--text-field", "--id-field", "--skip-bad-records", "--word-column", "--normalize"}) {
    rules.push_back({flag, text, "a corpus of text; queries of a run are read like its text"});
  }
  for (const char* flag : {"--model", "--options", "--weights", "--vocab", "--precision"}) {
    rules.push_back({flag, text || !map, "a corpus of text; a run has its vectors already"});
  }
  for (const char* flag : {"--clusters", "--sample", "--seed", "--labels"}) {
    rules.push_back({flag, map, "--map"});
  }
  rules.push_back({"--column", !request.map.labels.empty(), "--labels"});
  check_rules(given, rules);
  const auto refuse_with_map = [&](const std::string& flag, const char* reason) {
    if (map && given.contains(flag)) throw RequestError("--map with " + flag + ": " + reason);
  };
  for (const char* flag : {"--same-word", "--other-words"}) {
    refuse_with_map(flag, "a map shows all occurrences of a word");
  }
  if (!request.map.clusters) {
    refuse_with_map("--count", "a map shows all occurrences of a word");
    refuse_with_map("--format", "a map is a page; --clusters adds a list as jsonl");
  } else if (jsonl != true) {
    refuse_with_map("--count", "needs --format jsonl, which lists the clusters");
    refuse_with_map("--format", "expected jsonl, which lists the clusters");
  }
}

ExitCode map_and_report(const NeighborRequest& request, bool quiet, bool json) {
  const std::atomic<bool>& stop = stop_on_signals();
  AtomicFile page(request.map.file);  // before anything is computed, because writing may fail
  RunReport report(quiet);
  const std::optional<WordMap> map = word_map(request, report, stop);
  if (!map) {
    report.progress_ended();
    RunReport(false).note("stopped; no map was written");
    return kInterrupted;
  }
  page.append(map_page(*map));
  page.publish();
  report.note("the map of " + human_count(map->points.size()) + " of " +
              human_count(map->occurrences, "occurrence") + " is in " + request.map.file);
  if (!request.map.clusters) return kDone;
  if (json) standard_output().write(clusters_json(*map));
  report.note(human_count(map->clusters.size(), "cluster") +
              formatted(", mean silhouette %.3f", map->silhouette));
  return kDone;
}

ExitCode search_and_report(const NeighborFlags& flags) {
  const NeighborRequest request = sorted_out(flags.request);
  check_flags(flags.given, request, flags.jsonl);
  validate(request);
  if (!request.map.file.empty()) {
    return map_and_report(request, flags.quiet, flags.jsonl.value_or(false));
  }
  RunReport report(flags.quiet);
  const bool json = flags.jsonl.value_or(isatty(STDOUT_FILENO) == 0);
  BufferedOutput output(standard_output());
  run_neighbors(request, report,
                [&](std::span<const BracketedQuery> queries, const std::string& layer,
                    std::span<const NeighborAnswer> answers) {
                  for (std::size_t i = 0; i < queries.size(); ++i) {
                    output.write(json ? neighbors_json(queries[i], layer, answers[i])
                                      : neighbors_text(queries[i], answers[i]));
                  }
                  output.flush();
                });
  return kDone;
}

void add_map(const Options& command, MapRequest& request) {
  const Options app = command.in_group("Map of a word");
  app.add_option("--map", request.file, "FILE",
                 "HTML page to write or replace: all occurrences of a word in the plane of their "
                 "first two principal components");
  const Option clusters = add_checked(
      app, "--clusters", "auto|K", "", "auto or a whole number from 1 on",
      [](const std::string& text) {
        return text == "auto" || number_of<std::size_t>(text).value_or(0) > 0;
      },
      [&request](const std::string& text) {
        request.clusters = number_of<std::size_t>(text).value_or(kAutoClusters);
      },
      "Color points by K clusters of their vectors (average linkage on cosine distance), which "
      "--format jsonl prints; `auto` chooses 2 to " +
          std::to_string(kMaxChosenClusters) + " by silhouette");
  add_whole(app, "--sample", request.sample, "N", std::size_t{2}, kMaxNeighbors,
            "Maximum number of occurrences; if there are more, a random sample is shown");
  add_seed(app, request.seed, "Random seed of the sample");
  app.add_option("--labels", request.labels, "FILE",
                 "Color points by the labels in this file, not by document; it must hold the "
                 "sentences of the corpus")
      .excludes(clusters);
  add_column(app, request.column);
}

}  // namespace

void add_neighbors(const Options& app, Command& chosen) {
  const auto flags = std::make_shared<NeighborFlags>();
  NeighborRequest& request = flags->request;
  Options command = app.add_subcommand(
      "neighbors", "Find occurrences similar to a word in context, and similar words");
  command.add_argument("QUERY", request.query,
                       "Sentence with one word in [brackets], or a word for --map; without one, "
                       "standard input has one sentence per line");
  // Otherwise, CLI11 parses a query that begins and ends with brackets as a list.
  command
      .add_option("--corpus", request.corpus, "PATH",
                  "Run written by embed, or text files and folders, which are embedded once")
      .values(1, kMaxFiles)
      .required();
  add_whole(command, "-k,--count", request.count, "N", std::size_t{1}, kMaxNeighbors,
            "Number of results per query, or of central sentences per cluster");
  command
      .add_option(
          "--layer", request.layer, "LAYER",
          "Layer to compare: `x` (no context), a layer from 1 on, or the only one of the run")
      .default_str("the last layer");
  const Option same =
      command.add_flag("--same-word", request.same_word,
                       "Search only occurrences of the query's word, ignoring case");
  command.add_flag("--other-words", request.other_words, "Search only other words").excludes(same);
  add_choice(command, "--format", flags->jsonl, kJsonWords,
             "Output format: `jsonl`, one JSON object per query, or `table`")
      .default_str("table on a terminal, otherwise jsonl");
  add_map(command, request.map);
  add_model_flags(command, request.model);
  add_reading_flags(command, request.input);
  add_choice(command, "--precision", request.precision, kPrecisions,
             "Precision of the biLM's arithmetic (products)")
      .default_str("as in the run, otherwise float32");
  add_threads(command, request.threads);
  command.add_flag("--quiet", flags->quiet, "Print only errors and the result");
  command.footer(
      "Similarities are exact cosines over all tokens of the corpus. Queries are tokenized like "
      "the corpus and need the model that computed it. A word of several tokens is represented by "
      "their mean. Similar words without context are compared by `x`, without other spellings of "
      "the query's word. In JSON, `neighbors` has similarity, word, file, line and sentence with "
      "the word in brackets; `without_context` has similarity and word (null without `x`). Up to "
      "4,096 waiting queries are answered in one pass over the vectors.\nA map ignores case. For a "
      "run, it reads the vectors; for text, it embeds only the sentences with the word. Its page "
      "loads nothing and works with a keyboard and a screen reader. --clusters groups its points; "
      "with "
      "--format jsonl, each cluster has its size and its most central sentences, by the cosine "
      "with "
      "the mean of its vectors.");
  run_if_chosen(command, flags, search_and_report, chosen);
}

}  // namespace elmo

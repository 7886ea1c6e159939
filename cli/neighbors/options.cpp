// `elmo neighbors`: the nearest occurrences of a word in context, and its nearest words without.
#include "cli/common/options.h"

#include <unistd.h>

#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/common/option_groups.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "cli/neighbors/report.h"
#include "cli/neighbors/run.h"
#include "core/enum_table.h"
#include "core/error.h"
#include "io/files/paths.h"
#include "io/text/bytes/byte_stream.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/input/input_files.h"
#include "io/text/input/read_queue.h"

namespace elmo {
namespace {

/// The formats of the output; true for JSON.
constexpr auto kJsonWords = enum_table<bool>({{"jsonl", true}, {"table", false}});

constexpr std::size_t kMaxNeighbors = 100000;
constexpr int kMaxFiles = 1 << 20;

// Maximum number of queries in one pass over the corpus. More would need too much memory for their
// results.
constexpr std::size_t kTogether = 4096;

/// Queries from standard input, one per line; blank lines are skipped. Lines are read ahead and not
/// parsed, so that all that have arrived are found together. One thread.
class QueryLines {
 public:
  explicit QueryLines(const InputOptions& reading)
      : reading_(reading),
        window_(open_file(kStandardInput, &state_)),
        lines_(window_),
        ahead_([this](Line& line) { return read(line); },
               [](const Line& line) { return sizeof(Line) + line.text.size(); }, state_.stopped) {}

  /// Reads the next query. Returns false at the end, and without `wait` also if there is none yet.
  bool next(bool wait, BracketedQuery& query) {
    if (!wait && !ahead_.wait(kArrivalTime)) return false;
    Line line;
    ended_ = !ahead_.next(line);
    if (ended_) return false;
    try {
      query = read_bracketed_query(line.text, reading_);
    } catch (const InputError& error) {
      throw InputError("standard input: line " + std::to_string(line.number) + ": " + error.what());
    }
    return true;
  }

  bool ended() const { return ended_; }

 private:
  struct Line {
    std::string text;
    std::uint64_t number = 0;
  };

  bool read(Line& line) {
    do {
      if (!lines_.next()) return false;
    } while (lines_.line().find_first_not_of(" \t") == std::string_view::npos);
    line = {std::string(lines_.line()), lines_.number()};
    return true;
  }

  InputOptions reading_;
  ReadState state_;
  ByteWindow window_;
  RecordLines lines_;
  bool ended_ = false;
  ReadQueue<Line> ahead_;  // last: its thread uses the rest
};

struct NeighborFlags {
  std::vector<std::string> names;  ///< after --corpus
  std::string query;         ///< empty: queries are on standard input, or one is among `names`
  NeighborRequest request;   ///< without the corpus
  std::optional<bool> json;  ///< nothing: a table on a terminal
  bool quiet = false;
};

/// The names on the command line, sorted into corpus and query.
struct CorpusAndQuery {
  std::vector<std::string> corpus;
  std::string query;
};

class NeighborsRun {
 public:
  /// `request` and `listener` must outlive this.
  NeighborsRun(const NeighborRequest& request, bool json, RunListener& listener)
      : corpus_(open_corpus(request, listener)), json_(json) {}

  /// Answers `query`, or the queries on standard input if it is empty.
  void run(const std::string& query) {
    if (query.empty()) {
      answer_lines();
    } else {
      answer({read(query)});
    }
  }

 private:
  BracketedQuery read(const std::string& text) const {
    try {
      return read_bracketed_query(text, corpus_->reading());
    } catch (const InputError& error) {
      throw RequestError("'" + text + "': " + error.what());
    }
  }

  /// Answers the queries on standard input. If the corpus can be searched repeatedly, answers those
  /// that have arrived before it waits for more.
  void answer_lines() {
    QueryLines lines(corpus_->reading());
    while (!lines.ended()) {
      std::vector<BracketedQuery> queries;
      std::exception_ptr error;
      try {
        BracketedQuery query;
        const bool all = !corpus_->is_kept();
        while ((all || queries.size() < kTogether) && lines.next(all || queries.empty(), query)) {
          queries.push_back(std::move(query));
          query = {};
        }
      } catch (const InputError&) {
        error = std::current_exception();
      }
      if (!queries.empty()) answer(queries);
      if (error) std::rethrow_exception(error);
    }
  }

  void answer(const std::vector<BracketedQuery>& queries) {
    const std::vector<NeighborAnswer> found = corpus_->search(queries);
    for (std::size_t query = 0; query < queries.size(); ++query) {
      output_.write(json_ ? neighbors_json(queries[query], corpus_->layer(), found[query])
                          : neighbors_text(queries[query], found[query]));
    }
    output_.flush();
  }

  std::unique_ptr<NeighborCorpus> corpus_;
  bool json_;
  BufferedOutput output_;
};

/// Separates the query from the names of the corpus. --corpus takes all names up to the next
/// option, including a query after them: a name with brackets that is no file is a query.
CorpusAndQuery sorted_out(const NeighborFlags& flags) {
  CorpusAndQuery found{{}, flags.query};
  for (const std::string& name : flags.names) {
    if (!has_brackets(name) || is_there(name)) {
      found.corpus.push_back(name);
    } else if (found.query.empty()) {
      found.query = name;
    } else {
      throw RequestError("found the queries '" + found.query + "' and '" + name +
                         "'; expected one, or none and all of them on standard input, a line each");
    }
  }
  // A query without brackets would be treated as a file.
  if (found.query.empty() && found.corpus.size() > 1) {
    const std::string& last = found.corpus.back();
    if (last != kStandardInput && !is_there(last)) {
      throw RequestError("'" + last + "' is no file, and as a query: found no brackets; expected " +
                         "a sentence with one word in [brackets]");
    }
  }
  if (found.corpus.empty()) {
    throw RequestError("--corpus: found no run and no file; expected something to search");
  }
  for (const std::string& file : found.corpus) {
    if (found.query.empty() && can_be_read_only_once(file) && file == kStandardInput) {
      throw RequestError(
          "--corpus -: standard input cannot be both the corpus and the queries; give a query");
    }
  }
  return found;
}

}  // namespace

void add_neighbors(Options& app, Command& chosen) {
  const auto flags = std::make_shared<NeighborFlags>();
  Options command = app.add_subcommand(
      "neighbors", "Find occurrences similar to a word in context, and similar words");
  command->add_option("QUERY", flags->query,
                      "Sentence with one word in [brackets]; without one, standard input has one "
                      "per line");
  // Otherwise, CLI11 parses a query that begins and ends with brackets as a list.
  command
      ->add_option("--corpus", flags->names,
                   "Run written by embed, or text files and folders, which are embedded once")
      ->type_name("PATH")
      ->values(1, kMaxFiles)
      ->required();
  add_whole(command, "-k,--count", flags->request.count, "N", std::size_t{1}, kMaxNeighbors,
            "Number of results per query");
  command
      ->add_option("--layer", flags->request.layer,
                   "Layer to compare: `x` (no context), 1, ..., L, or the only one of the run")
      ->type_name("LAYER")
      ->default_str("L");
  Option same = command->add_flag_callback(
      "--same-word", [flags] { flags->request.words = WordFilter::same; },
      "Search only occurrences of the query's word, ignoring case");
  command
      ->add_flag_callback(
          "--other-words", [flags] { flags->request.words = WordFilter::other; },
          "Search only other words")
      ->excludes(same);
  add_choice(command, "--format", flags->json, kJsonWords,
             "Output format: `jsonl`, one JSON object per query, or `table`")
      ->default_str("table on a terminal, otherwise jsonl");
  add_model_flags(command, flags->request.model);
  add_reading_flags(command, flags->request.input);
  add_precision(command, flags->request.precision, "Precision of the biLM's products")
      ->default_str("as in the run, otherwise float32");
  add_threads(command, flags->request.threads);
  command->add_flag("--quiet", flags->quiet, "Print only errors and the result");
  command->footer(
      "Similarities are exact cosines over all tokens of the corpus. Queries are tokenized like "
      "the "
      "corpus and need the model that computed it. A word of several tokens is represented by "
      "their "
      "mean. Similar words without context are compared by `x`, without other spellings of the "
      "query's word. In JSON, `neighbors` has similarity, word, file, line and sentence with the "
      "word in brackets; `without_context` has similarity and word (null without `x`). Up to 4,096 "
      "waiting queries are answered in one pass over the vectors.");
  command->callback([command, flags, &chosen] {
    const CorpusAndQuery found = sorted_out(*flags);
    const auto request = std::make_shared<NeighborRequest>(flags->request);
    request->corpus = found.corpus;
    check_input_flags(*command, request->input);
    const bool run = names_run(*request);
    for (const char* option : {"--input-format", "--lines", "--tokenizer", "--locale", "--strict",
                               "--text-field", "--id-field", "--skip-bad-records"}) {
      only_with(*command, option, !run, "a corpus of text; a run's queries are read as it was");
    }
    chosen = [request, query = found.query, flags] {
      RunReport report(flags->quiet);
      NeighborsRun(*request, flags->json.value_or(isatty(STDOUT_FILENO) == 0), report).run(query);
      return kDone;
    };
  });
}

}  // namespace elmo

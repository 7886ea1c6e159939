// `elmo neighbors`: the nearest occurrences of a word in context, and its nearest words without.
#include "cli/report/neighbors.h"

#include <unistd.h>

#include <CLI/App.hpp>
#include <atomic>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/flags/computing.h"
#include "cli/flags/input.h"
#include "cli/flags/options.h"
#include "cli/process/standard_output.h"
#include "cli/run/neighbors/corpus.h"
#include "core/enum_table.h"
#include "core/error.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/formats/record_lines.h"
#include "io/text/source/input_files.h"

namespace elmo {
namespace {

/// Whether the output is JSON.
constexpr auto kJsonWords = enum_table<bool>({{"jsonl", true}, {"table", false}});

constexpr std::size_t kMaxNeighbors = 100000;
constexpr int kMaxFiles = 1 << 20;

// Queries that go over the corpus together. More would take much memory for what they find.
constexpr std::size_t kTogether = 4096;

/// Queries from standard input, a line each; blank lines are none. One thread.
class QueryLines {
 public:
  explicit QueryLines(const InputOptions& reading)
      : reading_(reading),
        window_(open_file(kStandardInput, bytes_read_, waiting_)),
        lines_(window_) {}

  /// The next query; false at the end, or, where it is not to wait, where there is none yet.
  bool next(bool wait, BracketedQuery& query) {
    waiting_.allowed = wait;
    try {
      do {
        if (!lines_.next()) {
          ended_ = true;
          return false;
        }
      } while (lines_.line().find_first_not_of(" \t") == std::string_view::npos);
    } catch (const WouldWait&) {
      return false;
    }
    try {
      query = read_bracketed_query(lines_.line(), reading_);
    } catch (const InputError& error) {
      throw InputError("standard input: line " + std::to_string(lines_.number()) + ": " +
                       error.what());
    }
    return true;
  }

  bool ended() const { return ended_; }

 private:
  InputOptions reading_;
  Waiting waiting_;
  std::atomic<std::uint64_t> bytes_read_ = 0;
  ByteWindow window_;
  RecordLines lines_;
  bool ended_ = false;
};

class NeighborsRun {
 public:
  explicit NeighborsRun(const NeighborFlags& flags) : flags_(flags), corpus_(open_corpus(flags)) {}

  void run() {
    if (flags_.query.empty()) {
      answer_lines();
    } else {
      answer({read(flags_.query)});
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

  /// What has come is answered before more is waited for, where the corpus can be searched again.
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
    const bool json = flags_.json.value_or(isatty(STDOUT_FILENO) == 0);
    for (std::size_t query = 0; query < queries.size(); ++query) {
      output_.write(json ? neighbors_json(queries[query], corpus_->layer(), found[query])
                         : neighbors_text(queries[query], found[query]));
    }
    output_.flush();
  }

  const NeighborFlags& flags_;
  std::unique_ptr<NeighborCorpus> corpus_;
  BufferedOutput output_;
};

/// --corpus takes all names up to the next option, and so a query that stands behind them: what has
/// brackets and names no file is one.
void sort_out_query(NeighborFlags& flags) {
  std::vector<std::string> files;
  for (std::string& name : flags.corpus) {
    std::error_code ignored;
    if (!has_brackets(name) || std::filesystem::exists(name, ignored)) {
      files.push_back(std::move(name));
    } else if (flags.query.empty()) {
      flags.query = std::move(name);
    } else {
      throw RequestError("found the queries '" + flags.query + "' and '" + name +
                         "'; expected one, or none and all of them on standard input, a line each");
    }
  }
  // A query without brackets would be looked for as a file.
  if (flags.query.empty() && files.size() > 1) {
    std::error_code ignored;
    const std::string& last = files.back();
    if (last != kStandardInput && !std::filesystem::exists(last, ignored)) {
      throw RequestError("'" + last + "' is no file, and as a query: found no brackets; expected " +
                         "a sentence with one word in [brackets]");
    }
  }
  flags.corpus = std::move(files);
  if (flags.corpus.empty()) {
    throw RequestError("--corpus: found no run and no file; expected something to search");
  }
  for (const std::string& file : flags.corpus) {
    if (flags.query.empty() && can_be_read_only_once(file) && file == kStandardInput) {
      throw RequestError(
          "--corpus -: standard input cannot be both the corpus and the queries; give a query");
    }
  }
}

}  // namespace

void add_neighbors(CLI::App& app, Command& chosen) {
  const auto flags = std::make_shared<NeighborFlags>();
  const auto precision = std::make_shared<Precision>(Precision::float32);
  const auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand(
      "neighbors", "Find the nearest occurrences of a word in context, and its nearest words");
  command->add_option("QUERY", flags->query,
                      "Sentence with a word in [brackets]: `'He sat on the [bank] of the river'`. "
                      "None: standard input has one a line, which a run answers as they come");
  // Else CLI11 takes a query that begins and ends with brackets for a list.
  command
      ->add_option("--corpus", flags->corpus,
                   "What is searched: a folder that embed has written, or files and folders of "
                   "text, which are embedded once, when all queries have been read")
      ->type_name("PATH")
      ->expected(1, kMaxFiles)
      ->allow_extra_args(false)
      ->required();
  add_whole(command, "-k,--count", flags->count, "N", std::size_t{1}, kMaxNeighbors,
            "Occurrences and words that are told of each query");
  command
      ->add_option(
          "--layer", flags->layer,
          "Layer that is compared: `x` (no context), 1, ..., L; of a run with one vector a "
          "token that one")
      ->type_name("LAYER")
      ->default_str("L");
  CLI::Option* same = command->add_flag_callback(
      "--same-word", [flags] { flags->words = WordFilter::same; },
      "Occurrences of the query's word only, capitals aside");
  command
      ->add_flag_callback(
          "--other-words", [flags] { flags->words = WordFilter::other; },
          "Occurrences of other words only")
      ->excludes(same);
  add_choice(command, "--format", *json, kJsonWords,
             "Form of the output. `jsonl`: a JSON object a query; `table`: for people")
      ->default_str("table on a terminal, else jsonl");
  add_model_flags(command, flags->model);
  add_reading_flags(command, flags->input);
  add_precision(command, *precision, "Numbers that the biLM multiplies")
      ->default_str("as in the run, else float32");
  add_threads(command, flags->threads);
  command->add_flag("--quiet", flags->quiet, "Show errors and the result only");
  command->footer(
      "Similarities are cosines, of all tokens of the corpus, computed exactly. A query's word may "
      "be several tokens, whose mean is taken. It is made of tokens as the corpus was; the model "
      "has to be the one that computed the corpus. The nearest words without context are compared "
      "by `x`; spellings of the query's word are left out. In JSON `neighbors` has similarity, "
      "word, file, line and sentence, where the word is in brackets, and `without_context` "
      "similarity and word (null where a run does not have `x`). All queries that have come, up to "
      "4,096, go over the vectors together.");
  command->callback([command, flags, precision, json, &chosen] {
    sort_out_query(*flags);
    check_input_flags(*command, flags->input);
    const bool run = names_run(*flags);
    for (const char* option : {"--input-format", "--lines", "--locale", "--strict", "--text-field",
                               "--id-field", "--skip-bad-records"}) {
      only_with(*command, option, !run, "a corpus of text; a run's queries are read as it was");
    }
    if (command->count("--precision") > 0) flags->precision = *precision;
    if (command->count("--format") > 0) flags->json = *json;
    chosen = [flags] {
      NeighborsRun(*flags).run();
      return kDone;
    };
  });
}

}  // namespace elmo

// `elmo similarity`: how similar pairs of uses of words are.
#include "cli/common/options.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/common/option_groups.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "io/engine/similarity.h"
#include "io/text/bytes/file_bytes.h"

namespace elmo {
namespace {

struct SimilarityFlags : Flags<SimilarityRequest> {
  bool jsonl = false;
};

/// Returns a row: its name, the words, a number for each layer, and gold.
Json similarity_row(const SimilarityOutcome& outcome, Json name, const UsePair& pair,
                    const std::vector<std::optional<double>>& numbers) {
  const auto word = [&](std::size_t k) {
    return pair.words[k].empty() ? Json() : Json(pair.words[k]);
  };
  Json row{{"line", std::move(name)}, {"word1", word(0)}, {"word2", word(1)}};
  for (std::size_t layer = 0; layer < numbers.size(); ++layer) {
    row[outcome.layers[layer]] = numbers[layer] ? Json(*numbers[layer]) : Json();
  }
  if (outcome.gold == PairGold::none) return row;
  row["gold"] = outcome.gold == PairGold::rating ? Json(pair.gold) : pair.gold > 0 ? "T" : "F";
  if (pair.line == 0) row["gold"] = nullptr;
  return row;
}

ExitCode similarity_and_report(const SimilarityFlags& flags) {
  check_tokenizer_flags(flags.given, flags.request.input.format);
  RunReport report(flags.quiet);
  const SimilarityOutcome outcome = run_similarity(flags.request, report);
  std::vector<Json> rows;
  for (const UsePair& pair : outcome.pairs) {
    rows.push_back(
        similarity_row(outcome, pair.line, pair, {pair.cosines.begin(), pair.cosines.end()}));
  }
  for (const auto& [name, figures] : outcome.agreement) {
    rows.push_back(similarity_row(outcome, name, {}, figures));
  }
  standard_output().write(rows_text(rows, flags.jsonl));
  return kDone;
}

}  // namespace

void add_similarity(const Options& app, Command& chosen) {
  const auto flags = std::make_shared<SimilarityFlags>();
  SimilarityRequest& request = flags->request;
  request.file = kStandardInput;
  Options command =
      app.add_subcommand("similarity", "Compare pairs of uses of words, and score each layer");
  command.add_argument("FILE", request.file,
                       "File with a pair of sentences per line; `-` is standard input");
  add_choice(command, "--input-format", request.input.format,
             kInputFormats.only<InputFormat::text, InputFormat::tokens>(),
             "Sentences with brackets: `text`, which is tokenized, or `tokens`, separated by "
             "white space");
  add_tokenizer_flags(command, request.input.request);
  add_choice(command, "--format", flags->jsonl, kTableFormats,
             "Output format: `tsv`, a table with a header, or `jsonl`, an object per pair");
  add_model_flags(command, request.model);
  add_choice(command, "--precision", request.precision, kPrecisions,
             "Precision of the biLM's arithmetic (products)");
  add_threads(command, request.threads);
  command.add_flag("--quiet", flags->quiet, "Print only errors and the result");
  command.footer(
      "A line has two sentences with one word in [brackets] each, separated by a tab, or WiC's "
      "columns: target, part of speech, i-j, and two sentences whose blank-separated tokens number "
      "i and j, from 0, are compared. The result is the cosine of the two words in each layer; a "
      "word of several tokens is represented by their mean.\nOne more column may hold gold. For "
      "numbers, a row `spearman` follows, their rank correlation; for T (same sense) and F, "
      "rows `auc`, `accuracy` at the best threshold, and `threshold`. JSON has these rows as "
      "objects with that name as `line`.");
  run_if_chosen(command, flags, similarity_and_report, chosen);
}

}  // namespace elmo

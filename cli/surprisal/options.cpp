// `elmo surprisal`: how surprising each word of a text is, and minimal pairs.
#include "cli/common/options.h"

#include <memory>
#include <string>
#include <utility>

#include "cli/command.h"
#include "cli/common/option_groups.h"
#include "cli/common/process.h"
#include "cli/common/rules.h"
#include "cli/surprisal/report.h"
#include "core/text.h"
#include "io/engine/word_prediction/minimal_pairs.h"
#include "io/engine/word_prediction/surprisal.h"

namespace elmo {
namespace {

struct SurprisalFlags : Flags<PairRequest> {
  bool jsonl = false;
  bool by_sentence = false;
  bool pairs = false;
  std::string by;
};

void check_surprisal_flags(const SurprisalFlags& flags) {
  std::vector<FlagRule> rules;
  for (const char* flag : {"--good", "--bad", "--by"})
    rules.push_back({flag, flags.pairs, "--pairs"});
  for (const char* flag :
       {"--boundaries", "--by-sentence", "--input-format", "--lines", "--text-field", "--id-field",
        "--skip-bad-records", "--strict", "--initial-state"}) {
    rules.push_back({flag, !flags.pairs, "a text, without --pairs"});
  }
  check_rules(flags.given, rules);
  check_input_flags(flags.given, flags.request.input);
  check_initial_state(flags.given, flags.request.options.initial_state);
}

ExitCode compare_pairs(const SurprisalFlags& flags) {
  PairRequest request = flags.request;
  request.options.awaited = flags.jsonl;
  for (const std::string_view field : split(flags.by, ',')) {
    if (!field.empty()) request.by.emplace_back(field);
  }
  SurprisalReport report(flags.quiet);
  PairListener each;
  if (flags.jsonl) {
    each = [&](const std::vector<std::string>& fields, const MinimalPair& pair) {
      report.print(pair_json(fields, pair));
    };
  }
  const PairSummary summary = run_minimal_pairs(request, report, each);
  if (!flags.jsonl) report.print(pair_table(summary.counts));
  report.flush();
  note_predicted(report, summary.text);
  return kDone;
}

ExitCode surprise_and_report(const SurprisalFlags& flags) {
  check_surprisal_flags(flags);
  if (flags.pairs) return compare_pairs(flags);
  SurprisalRequest request = flags.request;
  request.options.awaited = true;
  SurprisalReport report(flags.quiet);
  std::string header = flags.jsonl ? "" : surprisal_header(flags.by_sentence);
  const PredictedText text = run_surprisal(request, report, [&](const SentenceSurprisal& found) {
    report.print(std::exchange(header, {}));
    if (flags.jsonl) {
      report.print(flags.by_sentence ? sentence_json(found) : surprisal_json(found));
    } else {
      report.print(flags.by_sentence ? sentence_row(found) : surprisal_rows(found));
    }
  });
  report.flush();
  note_predicted(report, text);
  return kDone;
}

}  // namespace

void add_surprisal(const Options& app, Command& chosen) {
  const auto flags = std::make_shared<SurprisalFlags>();
  PairRequest& request = flags->request;
  Options command = app.add_subcommand(
      "surprisal", "Compute how surprising each word of a text is, and compare minimal pairs");
  add_predicting_model(command, request.model.model);
  add_input_flags(command, request.input);
  add_choice(command, "--base", request.base, kLogBases,
             "Base of the logarithm: `2`, bits; `e`, nats; `10`");
  command.add_flag("--boundaries", request.boundaries,
                   "Report `<S>`, which backward predicts, and `</S>`, which forward predicts");
  command.add_flag("--by-sentence", flags->by_sentence,
                   "Report the sums of each sentence instead of its words");
  add_choice(command, "--format", flags->jsonl, kTableFormats,
             "Output format: `tsv`, columns with a header; `jsonl`, a JSON object per sentence or "
             "pair");
  add_initial_state(command, request.options.initial_state, request.options.lanes);
  add_choice(command, "--precision", request.precision, kPrecisions,
             "Precision of the biLM's arithmetic (products); the softmax uses float32");
  add_threads(command, request.options.threads);
  command.add_flag("--quiet", flags->quiet, "Print only errors and the result");
  const Options pairs = command.in_group("Minimal pairs");
  pairs.add_flag("--pairs", flags->pairs,
                 "Read pairs of an acceptable and an unacceptable sentence, and print in how many "
                 "the acceptable one is more probable, in percent");
  pairs.add_option("--good", request.good, "FIELD", "Field of the acceptable sentence")
      .default_str(request.good);
  pairs.add_option("--bad", request.bad, "FIELD", "Field of the unacceptable sentence")
      .default_str(request.bad);
  pairs.add_option("--by", flags->by, "FIELD,...", "Fields to count by")
      .default_str("UID,linguistics_term");
  command.footer(
      "The surprisal of a word is -log p, forward given all words before it in its sentence, "
      "backward given all words after it. A word outside the vocabulary has `unknown` 1 and the "
      "surprisal of `<UNK>`. `token` counts from 0; `begin` and `end` are bytes of the document. "
      "Each sentence is printed as soon as it has been read.\n\nPairs are JSON Lines, such as "
      "BLiMP's, or lines of two sentences, separated by a TAB, the acceptable one first. A "
      "sentence's surprisal is the sum over its words and its end (backward, its beginning). Ties "
      "count as wrong. JSON has the sums of each pair.");
  run_if_chosen(command, flags, surprise_and_report, chosen);
}

}  // namespace elmo

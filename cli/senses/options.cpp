// `elmo senses`: word senses by the nearest neighbor, for each layer.
#include "cli/common/options.h"

#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/common/option_groups.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "cli/common/rules.h"
#include "cli/senses/report.h"
#include "core/text.h"
#include "io/engine/senses.h"
#include "io/files/atomic_file.h"

namespace elmo {
namespace {

using SensesFlags = Flags<SensesRequest>;

ExitCode senses_and_report(const SensesFlags& flags) {
  const SensesRequest& request = flags.request;
  const bool predicts = !request.predict.empty();
  check_rules(flags.given,
              {{"--layer", predicts, "--predict FILE"},
               {"--by", predicts, "--predict FILE"},
               {"--features-dtype", !request.features.folder.empty(), "--features DIR"}});
  validate(request);
  const std::atomic<bool>& stop = stop_on_signals();
  // Opened before anything is computed, because writing may fail.
  std::optional<AtomicFile> answers;
  if (!request.predict.empty()) answers.emplace(request.predict);
  RunReport report(flags.quiet);
  const std::optional<SensesResult> result = run_senses(request, report, stop);
  if (!result) {
    RunReport(false).note(stopped_text(request.features));
    return kInterrupted;
  }
  // Writes the file first, because the reader of standard output may have closed it.
  if (answers) {
    answers->append(answers_text(*result));
    answers->publish();
  }
  standard_output().write(flags.json ? senses_json(result->sets) : senses_text(result->sets));
  report.note(human_count(result->examples, "instance") + " of " +
              human_count(result->words, "word") + " learned from, " +
              human_count(result->names, "name") + " left out, " +
              human_count(result->tokens, "token") + " embedded");
  return kDone;
}

}  // namespace

void add_senses(const Options& app, Command& chosen) {
  const auto flags = std::make_shared<SensesFlags>();
  SensesRequest& request = flags->request;
  Options command =
      app.add_subcommand("senses", "Word sense disambiguation by nearest labeled occurrence");
  command
      .add_option(
          "--train", request.train, "FILE",
          "Labeled training sentences: JSON Lines with tokens, lemmas, pos and senses (see below)")
      .required();
  command.add_option("--test", request.test, "FILE", "Labeled test sentences in the same format")
      .required();
  command
      .add_option(
          "--candidates", request.candidates, "FILE",
          "Candidate senses: lines of lemma TAB part of speech TAB keys; the first is the fallback")
      .default_str("the senses in training");
  command.add_option(
      "--predict", request.predict, "FILE",
      "File of predictions to write or replace: one line per instance, with id and key");
  command
      .add_option("--layer", request.layer, "LAYER",
                  "Layer of --predict: `x` (no context) or one from 1 on; `all`: each, in a column "
                  "of its own")
      .default_str("the last layer");
  add_choice(command, "--by", request.by, kSenseNeighbors,
             "Comparison of --predict: with the mean of a sense's occurrences, or each of them");
  add_number(command, "--prior", request.prior, "BETA", NumberRange{},
             "Weight of the log training count of a sense, added to its cosine");
  command.add_flag("--json", flags->json, "Print JSON with exact numbers");
  add_feature_flags(command, request.features, flags->quiet, "none, activations are not kept");
  command.footer(
      "A labeled sentence is `{\"id\": \"s1\", \"tokens\": [...], \"lemmas\": [...], \"pos\": "
      "[...], \"senses\": {\"3\": [\"bank%1:17:01::\"]}}`: 3 is the first token of an instance, "
      "counted from 0, and any of its keys is correct. `spans` {\"3\": 5} gives the token after "
      "its last, `ne` marks names, which training skips, and `ids` names instances. Tokens of two "
      "backquotes or two apostrophes are read as a quotation mark.\nAn instance is the mean of its "
      "tokens' vectors. Candidates share lemma and part of speech. The largest cosine wins, the "
      "first one in a tie. Scores are F1 in percent: of the first candidate, of the most frequent "
      "sense in training, and for each layer of sense averages and single exemplars.");
  run_if_chosen(command, flags, senses_and_report, chosen);
}

}  // namespace elmo

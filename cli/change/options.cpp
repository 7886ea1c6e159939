// `elmo change`: how far the use of words differs between two corpora.
#include "cli/common/options.h"

#include <functional>
#include <memory>
#include <vector>

#include "cli/command.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "core/text.h"
#include "io/engine/change.h"

namespace elmo {
namespace {

struct ChangeFlags : Flags<ChangeRequest> {
  bool jsonl = false;
};

Json change_row(const ChangedWord& word) {
  const auto figure = [&](auto of) {
    return word.change ? Json(std::invoke(of, *word.change)) : Json();
  };
  return {{"word", word.word},
          {"n1", word.uses[0]},
          {"n2", word.uses[1]},
          {"apd", figure(&UseChange::apd)},
          {"prt", figure(&UseChange::prt)},
          {"within1", figure(&UseChange::within1)},
          {"within2", figure(&UseChange::within2)},
          {"difference", figure(&UseChange::difference)}};
}

ExitCode change_and_report(const ChangeFlags& flags) {
  RunReport report(flags.quiet);
  const ChangeOutcome outcome = run_change(flags.request, report);
  std::vector<Json> rows;
  for (const ChangedWord& word : outcome.words) rows.push_back(change_row(word));
  standard_output().write(rows_text(rows, flags.jsonl));
  report.note(human_count(outcome.words.size(), "word") + " compared in " +
              human_count(outcome.tokens, "token"));
  return kDone;
}

}  // namespace

void add_change(const Options& app, Command& chosen) {
  const auto flags = std::make_shared<ChangeFlags>();
  ChangeRequest& request = flags->request;
  Options command =
      app.add_subcommand("change", "Measure how far the use of words differs between two corpora");
  command.add_argument("RUN1", request.runs[0], "Run of the first corpus, written by embed")
      .required();
  command.add_argument("RUN2", request.runs[1], "Run of the second corpus, by the same model")
      .required();
  command
      .add_option("--words", request.words, "FILE|WORD,...",
                  "Words to compare, separated by commas, or a file with one per line, which a tab "
                  "and its forms may follow: `go` TAB `go,goes,went`")
      .required();
  command.add_flag("--ignore-case", request.ignore_case, "Ignore case in --words");
  command
      .add_option(
          "--layer", request.layer, "LAYER",
          "Layer to compare: `x` (no context), a layer from 1 on, or the only one of the runs")
      .default_str("the last layer");
  add_choice(command, "--format", flags->jsonl, kTableFormats,
             "Output format: `tsv`, a table with a header, or `jsonl`, an object per word");
  command.add_flag("--quiet", flags->quiet, "Print only errors and the result");
  command.footer(
      "All figures are cosine distances. `apd` is the mean over all pairs of a use in RUN1 and one "
      "in RUN2, `prt` the distance between the two mean vectors, `within1` and `within2` the mean "
      "over the pairs in one run, and `difference` apd - (within1 + within2) / 2. Words are sorted "
      "by difference, largest first; one with fewer than 2 uses in a run (`n1`, `n2`) has no "
      "figures.");
  run_if_chosen(command, flags, change_and_report, chosen);
}

}  // namespace elmo

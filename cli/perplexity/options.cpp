// `elmo perplexity`: the perplexity of a text.
#include "cli/common/options.h"

#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/common/option_groups.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "cli/common/rules.h"
#include "cli/perplexity/report.h"
#include "io/engine/word_prediction/perplexity.h"

namespace elmo {
namespace {

using PerplexityFlags = Flags<WordPredictionRequest>;

ExitCode measure_and_report(const PerplexityFlags& flags) {
  check_input_flags(flags.given, flags.request.input);
  check_initial_state(flags.given, flags.request.options.initial_state);
  RunReport report(flags.quiet);
  const PerplexitySummary summary = run_perplexity(flags.request, report);
  BufferedOutput output(standard_output());
  if (flags.json) {
    output.write(perplexity_json(summary));
  } else {
    for (const std::string& line : perplexity_lines(summary)) output.write(line + '\n');
  }
  output.flush();
  note_predicted(report, summary.text);
  return kDone;
}

}  // namespace

void add_perplexity(const Options& app, Command& chosen) {
  const auto flags = std::make_shared<PerplexityFlags>();
  WordPredictionRequest& request = flags->request;
  Options command = app.add_subcommand("perplexity", "Measure how well a model predicts text");
  add_predicting_model(command, request.model.model);
  add_input_flags(command, request.input);
  command.add_flag("--json", flags->json, "Print JSON with exact numbers");
  add_initial_state(command, request.options.initial_state, request.options.lanes);
  add_choice(command, "--precision", request.precision, kPrecisions,
             "Precision of the biLM's arithmetic (products); the softmax uses float32");
  add_threads(command, request.options.threads);
  command.add_flag("--quiet", flags->quiet, "Print only errors and the result");
  command.footer(
      "The full softmax over the vocabulary predicts every token and sentence end in each "
      "direction. Forward, the activations at `<S>`, w1, ..., wn predict w1, ..., wn, `</S>`; "
      "backward, those at `</S>`, wn, ..., w1 predict wn, ..., w1, `<S>`. The average is the "
      "perplexity at the mean loss of both directions, their geometric mean. A word outside the "
      "vocabulary is predicted as `<UNK>`, though its characters are read; perplexities without "
      "these predictions are printed too. Sentences without tokens are skipped.");
  run_if_chosen(command, flags, measure_and_report, chosen);
}

}  // namespace elmo

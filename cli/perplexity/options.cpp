// `elmo perplexity`: the perplexity of a text.
#include "cli/common/options.h"

#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/common/option_groups.h"
#include "cli/common/process.h"
#include "cli/perplexity/report.h"
#include "cli/perplexity/run.h"
#include "io/model/model.h"
namespace elmo {
namespace {

struct PerplexityFlags {
  PerplexityRequest request;
  bool json = false;
  bool quiet = false;
};

ExitCode run_perplexity(const PerplexityFlags& flags) {
  PerplexityReport report(flags.quiet);
  const PerplexitySummary summary = run_perplexity(flags.request, report);
  report.flush();
  if (flags.json) standard_output().write(perplexity_json(summary));
  for (const std::string& line : perplexity_lines(summary)) {
    if (flags.request.each_sentence) {
      report.note(line);
    } else if (!flags.json) {
      standard_output().write(line + '\n');
    }
  }
  report.ended(summary);
  return kDone;
}

}  // namespace

void add_perplexity(Options& app, Command& chosen) {
  const auto flags = std::make_shared<PerplexityFlags>();
  Options command = app.add_subcommand("perplexity", "Measure how well a model predicts text");
  command
      ->add_option("--model", flags->request.model.model,
                   "Model with softmax, as written by train: a folder, a zip archive or an "
                   "installed model")
      ->type_name("PATH")
      ->default_str(kDefaultModel)
      ->group("Model");
  add_input_flags(command, flags->request.input);
  Option json = command->add_flag("--json", flags->json, "Print JSON with exact numbers");
  command
      ->add_flag(
          "--per-token", flags->request.each_sentence,
          "Print a JSON object per sentence, with log probabilities of each token; perplexities go "
          "to standard error")
      ->excludes(json);
  add_initial_state(command, flags->request.options.initial_state, flags->request.options.lanes,
                    "Options");
  add_precision(command, flags->request.precision,
                "Precision of the biLM's products; the softmax uses float32");
  add_threads(command, flags->request.options.threads);
  command->add_flag("--quiet", flags->quiet, "Print only errors and the result");
  command->footer(
      "The full softmax over the vocabulary predicts every token and sentence end in each "
      "direction. Forward, the activations at `<S>`, w1, ..., wn predict w1, ..., wn, `</S>`; "
      "backward, those at `</S>`, wn, ..., w1 predict wn, ..., w1, `<S>`. The average is the "
      "perplexity at the mean loss of both directions, their geometric mean. A word outside the "
      "vocabulary is predicted as `<UNK>`, though its characters are read; perplexities without "
      "these predictions are printed too. Sentences without tokens are skipped.\n\nWith "
      "--per-token, an object has document, sentence, line, tokens (with `<S>` and `</S>`), "
      "unknown "
      "(positions of tokens predicted as `<UNK>`), and forward and backward (natural log "
      "probabilities; null at the boundary where a direction starts).");
  command->callback([command, flags, &chosen] {
    check_input_flags(*command, flags->request.input);
    check_initial_state(*command, flags->request.options.initial_state);
    chosen = [flags] { return run_perplexity(*flags); };
  });
}

}  // namespace elmo

// `elmo perplexity`: the perplexity of a text.
#include "cli/common/options.h"

#include <cstdint>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/common/option_groups.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "cli/common/rules.h"
#include "core/text.h"
#include "io/engine/word_prediction/predicting_model.h"
#include "io/json/json.h"

namespace elmo {
namespace {

constexpr int kDigits = 6;  // digits of a perplexity for people

/// The result as JSON, with numbers in full precision.
std::string perplexity_json(const PerplexitySummary& summary) {
  const PerplexityResult& result = summary.result;
  const Perplexity all = result.perplexity();
  const Perplexity known = result.known_perplexity();
  return json_document(
      {{"forward", all.forward},
       {"backward", all.backward},
       {"average", all.average},
       {"without_unknown",
        {{"forward", known.forward}, {"backward", known.backward}, {"average", known.average}}},
       {"log_probability",
        {{"forward", result.log_probability[0].all}, {"backward", result.log_probability[1].all}}},
       {"predictions", result.predictions()},
       {"sentences", result.sentences},
       {"tokens", result.tokens},
       {"unknown_tokens", result.unknown},
       {"vocabulary", summary.text.vocabulary}});
}

/// The result for people, in lines.
std::string perplexity_text(const PerplexitySummary& summary) {
  const PerplexityResult& result = summary.result;
  const auto line = [](const std::string& name, const Perplexity& figures) {
    return name + "forward " + human_number(figures.forward, kDigits) + ", backward " +
           human_number(figures.backward, kDigits) + ", average " +
           human_number(figures.average, kDigits) + '\n';
  };
  std::string text = line("perplexity: ", result.perplexity());
  if (result.unknown > 0) text += line("without unknown tokens: ", result.known_perplexity());
  const double percent =
      100.0 * static_cast<double>(result.unknown) / static_cast<double>(result.tokens);
  return text + human_count(result.predictions()) +
         " predictions in each direction: " + human_count(result.tokens, "token") +
         " and the end of " + human_count(result.sentences, "sentence") + '\n' +
         human_count(result.unknown, "unknown token") + " (" + human_number(percent, 3) +
         " %), not among the " + human_count(summary.text.vocabulary, "word") +
         " of the vocabulary, predicted as <UNK>\n";
}

using PerplexityFlags = Flags<WordPredictionRequest>;

ExitCode measure_and_report(const PerplexityFlags& flags) {
  check_input_flags(flags.given, flags.request.input);
  check_initial_state(flags.given, flags.request.options.initial_state);
  RunReport report(flags.quiet);
  const PerplexitySummary summary = run_perplexity(flags.request, report);
  standard_output().write(flags.json ? perplexity_json(summary) : perplexity_text(summary));
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
      "geometric mean of both perplexities, the one at their mean loss. A word outside the "
      "vocabulary is predicted as `<UNK>`, though its characters are read; perplexities without "
      "these predictions are printed too. Sentences without tokens are skipped.");
  run_if_chosen(command, flags, measure_and_report, chosen);
}

}  // namespace elmo
